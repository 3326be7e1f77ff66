# shellcheck shell=bash
# Long steps: a bar that is redrawn on a terminal, a plain line per step
# elsewhere, the full output in a log that is shown when the step fails.

progress_total=0
progress_done=0
progress_label=''
progress_started=0
progress_log=''

progress_begin() {
    progress_total=$1
    progress_log=$2
    progress_done=0
    progress_started=$SECONDS
}

progress_step() {
    progress_label=$1
    ((progress_done >= progress_total)) || ((++progress_done))
    if [[ -t 2 ]]; then
        progress_draw
    else
        say "[$progress_done/$progress_total] $progress_label"
    fi
}

progress_draw() {
    [[ -t 2 ]] || return 0
    local width=24 filled bar
    filled=$((progress_done * width / progress_total))
    printf -v bar '%*s' "$filled" ''
    bar=${bar// /#}
    printf '\r\033[K[%-*s] %d/%d %s, %d s' "$width" "$bar" "$progress_done" "$progress_total" \
        "$progress_label" $((SECONDS - progress_started)) >&2
}

progress_clear() {
    [[ -n $progress_label && -t 2 ]] || return 0
    printf '\r\033[K' >&2
    progress_label=''
}

progress_end() {
    progress_clear
    progress_label=''
    say "$1 in $((SECONDS - progress_started)) s"
}

# progress_run LABEL COMMAND...: COMMAND must be a program. It runs as the
# leader of its own process group, so that all of it can be ended. A line of
# its output that progress_label_of recognises begins the next step.
progress_run() {
    local output line label status=0
    progress_step "$1"
    shift
    exec {output}< <(exec setsid "$@" 2>&1 </dev/null)
    child_pid=$!
    child_is_group=true
    while true; do
        if IFS= read -r -t 1 -u "$output" line; then
            printf '%s\n' "$line" >>"$progress_log"
            label=$(progress_label_of "$line")
            [[ -z $label ]] || progress_step "$label"
        elif (($? > 128)); then
            progress_draw
        else
            break
        fi
    done
    exec {output}<&-
    wait "$child_pid" || status=$?
    child_pid=''
    ((status == 0)) || progress_fail "$status" "$@"
}

progress_fail() {
    local status=$1
    shift
    progress_clear
    tail -n 20 "$progress_log" >&2
    fail "$EXIT_UNAVAILABLE" "$(basename "$1") failed with status $status"
}

progress_label_of() {
    case $1 in
        'I: downloading packages with apt'*) echo 'downloading packages' ;;
        'I: extracting archives'*) echo 'extracting packages' ;;
        'I: installing essential packages'*) echo 'installing essential packages' ;;
        'I: installing remaining packages'*) echo 'installing packages' ;;
        'I: creating tarball'*) echo 'packing the tree' ;;
    esac
}
