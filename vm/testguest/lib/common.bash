# shellcheck shell=bash
# Errors, options and the children that this script starts.

say() { printf 'testguest: %s\n' "$*" >&2; }

fail() {
    local code=$1
    shift
    say "$*"
    exit "$code"
}

fail_usage() { fail "$EXIT_USAGE" "$* (see testguest help)"; }

# Called in a command substitution, where "exit" ends the caller by errexit.
option_value() {
    (($# >= 2)) || fail_usage "$1 needs a value"
    printf '%s' "$2"
}

require_number() {
    [[ $2 =~ ^[1-9][0-9]{0,6}$ ]] || fail_usage "$1 must be a positive number, not '$2'"
}

require_commands() {
    local name
    for name in "$@"; do
        command -v "$name" >/dev/null || fail "$EXIT_UNAVAILABLE" "$name is missing; try: testguest doctor"
    done
}

# Others than root get their subordinate range, so that files of the guest can
# belong to its root and its users.
if ((EUID == 0)); then
    readonly AS_GUEST_ROOT=(env)
else
    readonly AS_GUEST_ROOT=(unshare --map-root-user --map-auto --)
fi

# What must be undone at exit, newest first. One child at a time is enough:
# a build step or a QEMU.
child_pid=''
child_is_group=false
work=''

trap 'on_exit' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

on_exit() {
    child_end
    progress_clear
    [[ -z $work ]] || remove_tree "$work"
}

remove_tree() { "${AS_GUEST_ROOT[@]}" rm -rf --one-file-system -- "$1"; }

child_signal() {
    if $child_is_group; then
        kill -s "$1" -- "-$child_pid" 2>/dev/null
    else
        kill -s "$1" "$child_pid" 2>/dev/null
    fi
}

# The pid stays ours until wait has reaped it, so it cannot hit a stranger.
child_end() {
    [[ -n $child_pid ]] || return 0
    local tries
    if child_signal TERM; then
        for ((tries = 0; tries < 50; tries++)); do
            child_signal 0 || break
            sleep 0.1
        done
        child_signal KILL || true
    fi
    wait "$child_pid" 2>/dev/null || true
    child_pid=''
}
