#!/usr/bin/env bash
#
# selftest.sh [--cache DIR] [--jdk PATH]: builds the guest, boots it for each
# kind of unit and for each way to fail, and prints TAP. Without --cache it
# works in a directory of its own and removes it.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=''
jdk=()
while (($# > 0)); do
    case $1 in
        --cache) cache=$2 ;;
        --jdk) jdk=(--jdk "$2") ;;
        *)
            echo "usage: selftest.sh [--cache DIR] [--jdk PATH]" >&2
            exit 64
            ;;
    esac
    shift 2
done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
[[ -n $cache ]] || cache=$scratch/cache
payload=$scratch/payload
mkdir "$payload"
cp "$here/selftest/guest-checks" "$payload/"

number=0
failures=0

report() {
    local verdict=$1 what=$2
    ((++number))
    [[ $verdict == ok ]] || ((++failures))
    echo "$verdict $number - $what"
}

check() {
    local what=$1
    shift
    if "$@" >>"$scratch/log" 2>&1; then
        report ok "$what"
    else
        report 'not ok' "$what"
        tail -n 15 "$scratch/log" | sed 's/^/# /'
    fi
}

# in_guest NAME EXPECTED_CODE OPTION...: leaves its results in $scratch/NAME.
in_guest() {
    local name=$1 expected=$2 code=0
    shift 2
    "$here/testguest" run --cache "$cache" --payload "$payload" --results "$scratch/$name" "$@" || code=$?
    echo "exit code $code, expected $expected"
    ((code == expected))
}

guest_checks() {
    local name=$1 user=$2 unit=$3 controllers=$4 line
    check "$name: the guest ran the checks" in_guest "$name" 0 --user "$user" --unit "$unit" \
        --command "./guest-checks $user '$controllers' | tee /opt/results/checks.tap"
    while IFS= read -r line; do
        [[ $line =~ ^(ok|not ok)\ [0-9]+\ -\ (.*)$ ]] || continue
        report "${BASH_REMATCH[1]}" "$name: ${BASH_REMATCH[2]}"
    done < <(cat "$scratch/$name/checks.tap" 2>/dev/null)
    check "$name: the checks came to their end" grep -q '^1\.\.' "$scratch/$name/checks.tap"
}

same_build_is_cached() { [[ $("$here/testguest" build --cache "$cache" "${jdk[@]}" 2>&1) != *' made in '* ]]; }
# Hashing 4 GiB, mostly holes, would take longer than a boot.
image_state() { stat --format='%s %b %y %z' "$cache/rootfs/root.img"; }
image_is_unchanged() { [[ $(image_state) == "$image_before" ]]; }
nothing_is_left() { [[ -z $(ls -A "$cache/work") ]]; }
has_no_exit_code() { [[ ! -e $scratch/$1/exit-code && -s $scratch/$1/console.log ]]; }

only_plain_files_came_back() {
    [[ $(<"$scratch/plain/kept") == kept && $(<"$scratch/plain/sub/with space") == too && $(<"$scratch/plain/exit-code") == 3 ]] &&
        [[ -z $(find "$scratch/plain" -type l) && ! -e $scratch/plain/pipe ]]
}

foreign_results_are_refused() {
    mkdir "$scratch/foreign" && : >"$scratch/foreign/mine"
    in_guest foreign 64 --command true && [[ -e $scratch/foreign/mine ]]
}

check 'build' "$here/testguest" build --cache "$cache" "${jdk[@]}"
check 'the same build again comes from the cache' same_build_is_cached
image_before=$(image_state)

guest_checks root root service 'cpuset cpu io memory pids'
guest_checks tester tester service 'cpuset cpu io memory pids'
guest_checks session tester user 'cpu memory pids'

check 'an exit code is passed on' in_guest plain 3 --command '
    cd /opt/results; mkdir sub; echo kept >kept; echo too >"sub/with space"
    echo 0 >exit-code; ln -s /etc/passwd link; mkfifo pipe; exit 3'
check 'only regular files come back' only_plain_files_came_back
check 'a command that hangs is ended' in_guest late 124 --timeout 3 --command 'echo part >/opt/results/part; sleep 300'
check 'and its results are kept' grep -q part "$scratch/late/part"
check 'a guest that ends without a result is a failure' in_guest lost 70 --command 'systemctl poweroff --force --force; sleep 60'
check 'and leaves no exit code, but its console' has_no_exit_code lost
check 'results that hold a link are refused' in_guest forged 70 --command '
    ln -s /etc/passwd /tmp/link
    { printf "testguest-result 1 0 complete\n" | dd bs=4096 conv=sync status=none; tar -c -C /tmp link; } |
        dd of=/dev/nvme0n3 bs=64K iflag=fullblock conv=fsync status=none
    systemctl poweroff --force --force; sleep 60'
check 'and nothing of them comes back' has_no_exit_code forged
check 'a boot that is too slow is a failure' in_guest slow 70 --boot-timeout 1 --command true
check 'a directory with other files is refused for results' foreign_results_are_refused
check 'the cached image is unchanged' image_is_unchanged
check 'nothing is left in the cache but the layers' nothing_is_left

echo "1..$number"
((failures == 0))
