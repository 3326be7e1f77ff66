# shellcheck shell=bash
# The Java layer: jdk.img for the guest, and the same runtime as a directory
# for the host, which can make class-data archives with it that fit the guest.

readonly JDK_DEFAULT_MODULES=java.base,java.logging,java.management,java.naming,java.net.http,java.sql,java.xml,jdk.jfr,jdk.unsupported

# Under software emulation the second compiler costs more than it earns.
readonly JDK_OPTIONS='-XX:+UseSerialGC -XX:TieredStopAtLevel=1'

jdk_build() {
    local jdk=$1 modules=$2 key
    [[ -x $jdk/bin/jlink && -f $jdk/release ]] || fail "$EXIT_UNAVAILABLE" "$jdk is not a JDK with jlink"
    key=$({
        printf '%s\n' "$modules" "$JDK_OPTIONS"
        cat "$jdk/release" "$TESTGUEST_HOME/lib/jdk.bash"
    } | sha256sum | cut -d' ' -f1)
    if cache_has jdk "$key"; then
        say "Java runtime ${key:0:12} is in the cache"
    else
        jdk_make "$jdk" "$modules"
        cache_publish jdk "$key" "$work/jdk"
    fi
    cache_select jdk "$key"
}

jdk_make() {
    local jdk=$1 modules=$2 size
    mkdir "$work/jdk"
    progress_begin 2 "$work/jdk.log"
    progress_run 'linking the Java runtime' "$jdk/bin/jlink" \
        --add-modules "$modules" --output "$work/jdk/runtime" \
        --no-header-files --no-man-pages --generate-cds-archive --add-options "$JDK_OPTIONS"
    size=$(du -sm "$work/jdk/runtime" | cut -f1)
    progress_run 'making its image' mke2fs -q -t ext4 -m 0 -L testguest-jdk -O ^has_journal \
        -E root_owner=0:0 -d "$work/jdk/runtime" "$work/jdk/jdk.img" "$((size * 11 / 10 + 16))M"
    progress_end 'Java runtime made'
}
