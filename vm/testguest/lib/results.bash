# shellcheck shell=bash
# What comes back from the guest. It is our own guest, but a suite of escapes
# ran in it: nothing that it wrote is trusted to name a place on this machine.

readonly RESULTS_MARK=.testguest-results

# Old results must not pass for new ones, and only a directory that a run
# marked as its own is emptied.
results_claim() {
    mkdir -p "$results"
    results=$(cd "$results" && pwd)
    if [[ -e $results/$RESULTS_MARK ]]; then
        find "$results" -mindepth 1 -delete
    elif [[ -n $(ls -A "$results") ]]; then
        fail_usage "run: $results holds files that no run has left there"
    fi
    : >"$results/$RESULTS_MARK"
}

# Unpacks aside, in a directory that only this user can enter, and copies
# contents only: no owners, no modes, no times.
results_unpack() {
    local aside=$work/results
    mkdir -m 700 "$aside"
    results_tar --list --verbose >"$work/listing" 2>&1 || return 1
    results_listing_is_safe "$work/listing" || return 1
    results_tar --extract --directory="$aside" --no-same-owner --no-same-permissions --keep-old-files || return 1
    rm -f "$aside/exit-code" "$aside/console.log" "$aside/$RESULTS_MARK"
    cp -rP --no-preserve=all "$aside/." "$results/"
}

# The header is skipped by seeking: tar goes on where dd stopped, and ends at
# the archive's own end.
results_tar() {
    {
        dd bs="$HEADER_BYTES" count=1 of=/dev/null status=none
        tar --file=- --quoting-style=escape --numeric-owner "$@"
    } <"$work/output.img"
}

# Regular files with plain relative names, not larger in sum than their disk
# (a sparse member could be).
results_listing_is_safe() {
    LC_ALL=C awk -v most="$RESULTS_DISK_BYTES" '
        { name = $0; sub(/^[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ /, "", name); sum += $3 }
        !/^-/ || name ~ /^\// || name ~ /(^|\/)\.\.(\/|$)/ || sum > most { bad = 1; print "refused: " $0 > "/dev/stderr" }
        END { exit bad }
    ' "$1"
}
