# shellcheck shell=bash
# The serial console: read here line by line, so that the deadlines are looked
# at between the lines and in the silence.

# Each half; the log keeps the last one to two of them.
readonly CONSOLE_HALF_BYTES=$((2 * 1024 * 1024))
readonly CONSOLE_MARK='testguest: started'

console_log=''
console_bytes=0

console_open() {
    console_log=$1
    console_bytes=0
    rm -f "$console_log.old"
    : >"$console_log"
}

console_line() {
    local line=${1//$'\r'/}
    printf '%s\n' "$line" >>"$console_log"
    ((console_bytes += ${#line} + 1))
    if ((console_bytes > CONSOLE_HALF_BYTES)); then
        mv "$console_log" "$console_log.old"
        : >"$console_log"
        console_bytes=0
    fi
    if $verbose; then
        printf 'guest| %s\n' "$line"
    fi
}

# Before QEMU has ended this would lose lines.
console_save() {
    cat "$console_log.old" "$console_log" 2>/dev/null >"$1" || true
}

# console_follow DESCRIPTOR: returns when the guest's console has closed or a
# deadline has passed; the outcome is in console_verdict.
console_follow() {
    local LC_ALL=C descriptor=$1 started=false partial='' line deadline=$((SECONDS + boot_timeout))
    console_verdict=never-started
    while ((SECONDS < deadline)); do
        if IFS= read -r -t 1 -n 4096 -u "$descriptor" line; then
            line=$partial$line
            partial=''
            console_line "$line"
            if ! $started && [[ ${line%$'\r'} == *"$CONSOLE_MARK" ]]; then
                started=true
                console_verdict=ended
                deadline=$((SECONDS + timeout + HANDOVER_SECONDS))
            fi
        elif (($? > 128)); then
            partial+=$line
        else
            [[ -z $partial$line ]] || console_line "$partial$line"
            return 0
        fi
    done
    [[ -z $partial ]] || console_line "$partial"
    ! $started || console_verdict=overdue
}
