# shellcheck shell=bash
# The cache:
#
#   KIND-HASH/    a finished layer (KIND is rootfs or jdk), never changed
#   KIND          symbolic link to the layer that was asked for last
#   work/XXXXXX/  one per running build or run, locked by its owner
#   *.lock        build.lock is held for a whole build, work.lock briefly
#
# A layer is made in a work directory and renamed, so it is there completely or
# not at all. A work directory that nobody locks belonged to a dead process.

cache=''
readonly LAYERS_KEPT=2

cache_open() {
    require_commands flock setsid tar
    mkdir -p "$1/work" || fail "$EXIT_UNAVAILABLE" "cannot make the cache $1"
    cache=$(cd "$1" && pwd)
    exec {cache_work_lock}>"$cache/work.lock"
    flock "$cache_work_lock"
    cache_sweep
    work=$(mktemp -d "$cache/work/XXXXXX")
    # Readable for a mapped root, which is another user to the kernel.
    chmod 755 "$work"
    exec {work_lock}<"$work"
    flock "$work_lock"
    exec {cache_work_lock}>&-
}

cache_sweep() {
    local left
    for left in "$cache"/work/*/; do
        [[ -d $left ]] || continue
        if flock --nonblock "$left" true; then
            remove_tree "$left"
        fi
    done
}

cache_lock_builds() {
    exec {cache_build_lock}>"$cache/build.lock"
    if ! flock --nonblock "$cache_build_lock"; then
        say "waiting for another build in $cache"
        flock "$cache_build_lock"
    fi
}

cache_has() { [[ -d $cache/$1-$2 ]]; }

cache_publish() {
    local kind=$1 key=$2 directory=$3
    sync "$directory"/*
    mv -T "$directory" "$cache/$kind-$key"
}

cache_select() {
    local kind=$1 key=$2
    touch "$cache/$kind-$key"
    ln -sfn "$kind-$key" "$work/$kind.link"
    mv -T "$work/$kind.link" "$cache/$kind"
    cache_prune "$kind"
}

# A run holds a shared lock on the layers it boots.
cache_prune() {
    local kind=$1 layer
    local -a layers
    mapfile -t layers < <(cd "$cache" && ls -dt -- "$kind"-*/)
    for layer in "${layers[@]:LAYERS_KEPT}"; do
        flock --nonblock "$cache/$layer" rm -rf -- "$cache/$layer" || true
    done
}

# Sets the variable named $2 to the layer's directory, or to nothing.
cache_use() {
    local kind=$1 lock path
    local -n selected=$2
    selected=''
    path=$(readlink -e "$cache/$kind") || return 0
    exec {lock}<"$path"
    flock --shared "$lock"
    [[ -d $path ]] || fail "$EXIT_UNAVAILABLE" "the $kind layer was replaced just now; try again"
    # shellcheck disable=SC2034
    selected=$path
}

# Hashes names, executable bits and contents of the files below the arguments.
hash_of_files() {
    find "$@" -type f -printf '%P %m\n' | sed -E 's/ .*[1357].*$/ x/; s/ [0-9]+$//' | LC_ALL=C sort
    find "$@" -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | cut -d' ' -f1
}
