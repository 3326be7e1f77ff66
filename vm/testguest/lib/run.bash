# shellcheck shell=bash
# One run: pack the disks, boot, follow the console, read the verdict.

readonly RESULTS_DISK_BYTES=$((512 * 1024 * 1024))
readonly HEADER_BYTES=4096
# Unpacking before the command, packing and switching off after it.
readonly HANDOVER_SECONDS=120

payload='' command='' results='' user=root unit=service
timeout=600 boot_timeout=300 memory=1024 verbose=false

run_main() {
    local rootfs_layer jdk_layer
    run_options "$@"
    require_commands qemu-system-x86_64 setpriv
    cache_open "$cache"
    cache_use rootfs rootfs_layer
    cache_use jdk jdk_layer
    [[ -n $rootfs_layer ]] || fail "$EXIT_UNAVAILABLE" "no guest in $cache; try: testguest build --cache $cache"
    results_claim
    run_pack_input

    local console_verdict
    run_boot loglevel=4
    if [[ $console_verdict == never-started ]]; then
        say "the guest did not reach its unit; trying once more"
        run_boot loglevel=7
    fi
    console_save "$results/console.log"
    run_report
}

run_options() {
    while (($# > 0)); do
        case $1 in
            --verbose)
                verbose=true
                shift
                continue
                ;;
            --cache) cache=$(option_value "$@") ;;
            --payload) payload=$(option_value "$@") ;;
            --command) command=$(option_value "$@") ;;
            --results) results=$(option_value "$@") ;;
            --user) user=$(option_value "$@") ;;
            --unit) unit=$(option_value "$@") ;;
            --timeout) timeout=$(option_value "$@") ;;
            --boot-timeout) boot_timeout=$(option_value "$@") ;;
            --memory) memory=$(option_value "$@") ;;
            *) fail_usage "run: unknown option $1" ;;
        esac
        shift 2
    done
    run_check_options
}

run_check_options() {
    local name
    for name in cache payload command results; do
        [[ -n ${!name} ]] || fail_usage "run: --$name is missing"
    done
    [[ -d $payload ]] || fail_usage "run: the payload $payload is not a directory"
    [[ $unit == service || $unit == user ]] || fail_usage "run: --unit is service or user, not '$unit'"
    [[ $user == root || $user == tester ]] || fail_usage "run: --user is root or tester, not '$user'"
    [[ $unit/$user != user/root ]] || fail_usage "run: --unit user needs --user tester"
    require_number --timeout "$timeout"
    require_number --boot-timeout "$boot_timeout"
    require_number --memory "$memory"
}

run_pack_input() {
    mkdir "$work/order"
    printf '%s\n' "$command" >"$work/order/command"
    printf '%s\n' "$user" >"$work/order/user"
    printf '%s\n' "$unit" >"$work/order/unit"
    printf '%s\n' "$timeout" >"$work/order/timeout"
    # The flags leave the targets of symbolic links alone.
    tar --create --file="$work/input.img" --owner=0 --group=0 --mode=a+rX \
        --transform='flags=rSH;s,^\.,payload,' \
        --directory="$work" order --directory="$(cd "$payload" && pwd)" .
}

run_boot() {
    local output
    local -a disks
    rm -f "$work/output.img"
    truncate --size="$RESULTS_DISK_BYTES" "$work/output.img"
    qemu_set_disks
    console_open "$work/console.log"
    # The guest dies with this script even if that is killed outright.
    exec {output}< <(TMPDIR=$work exec setpriv --pdeathsig KILL qemu-system-x86_64 \
        "${QEMU_MACHINE[@]}" -m "$memory" "${disks[@]}" \
        -kernel "$rootfs_layer/vmlinuz" -append "$KERNEL_ARGUMENTS $1" 2>&1 </dev/null)
    child_pid=$!
    child_is_group=false
    console_follow "$output"
    child_end
    exec {output}<&-
}

run_report() {
    local header code state pattern='^testguest-result 1 ([0-9]{1,3}) (complete|truncated)$'
    header=$(head -c "$HEADER_BYTES" "$work/output.img" | tr -d '\0')
    [[ $header =~ $pattern ]] || run_fail "$(run_why_no_result)"
    code=${BASH_REMATCH[1]}
    state=${BASH_REMATCH[2]}

    [[ $state == complete ]] || run_fail "the results did not fit into $RESULTS_DISK_BYTES bytes"
    results_unpack || run_fail "the guest's results are not plain files"
    printf '%s\n' "$code" >"$results/exit-code"
    ((code != EXIT_TIMED_OUT)) || say "the command was still running after $timeout s, or itself ended with 124"
    exit "$code"
}

run_why_no_result() {
    case $console_verdict in
        never-started) echo "the guest did not reach its unit within $boot_timeout s, twice" ;;
        overdue) echo "the guest did not end by itself and was ended" ;;
        *) echo "the guest ended without a result code" ;;
    esac
}

run_fail() {
    say "the last lines of the guest's console:"
    tail -n 30 "$results/console.log" >&2
    fail "$EXIT_GUEST_FAILED" "$*"
}
