#!/bin/sh
# Runs the build: finds Gradle, a JDK 22 or later and the C tools, installs what is missing where it can (as root, with apt-get),
# and says precisely what to do where it can not. Nothing is started when everything is present: the tests below are file look-ups.
#
#   CORDON_JAVA_HOME   the JDK (22 or later) to compile and test with
#   JAVA_HOME          taken when it is 22 or later
set -eu

oldest_jdk=22

# What the build needs, as <command or file>=<Debian package>. A file may be a pattern.
build_tools='
    gcc=gcc
    make=make
    musl-gcc=musl-tools
    /usr/include/stdio.h=libc6-dev
    /usr/include/linux/seccomp.h=linux-libc-dev
    /usr/lib*/libseccomp.so.2|/usr/lib/*/libseccomp.so.2=libseccomp2
'
# What the tests need besides. Without these the suites that want them are skipped, unless CORDON_TESTS_MUST_RUN=1.
test_tools='
    clang-format=clang-format
    /usr/include/seccomp.h=libseccomp-dev
    setpriv=util-linux
    strace=strace
    python3=python3-minimal
    /usr/lib/python3/dist-packages/matplotlib=python3-matplotlib
    node=nodejs
    mvn=maven
    bwrap=bubblewrap
    mke2fs=e2fsprogs
    zstd=zstd
    cpio=cpio
    curl=curl
    groff=groff-base
    git=git
    g++=g++
    gdb=gdb
    openssl=openssl
    chromium=chromium
'
# What virtual machines need: QEMU, and what their images are built with. Without these everything else works.
machine_tools='
    qemu-system-x86_64=qemu-system-x86
    mmdebstrap=mmdebstrap
    mksquashfs=squashfs-tools
'

root=$(CDPATH='' cd -P -- "$(dirname -- "$0")" && pwd -P)
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

say() { printf 'gradlew: %s\n' "$*" >&2; }

fail() {
    for line in "$@"; do say "$line"; done
    exit 1
}

# present <command or pattern[|pattern]>
present() {
    case $1 in
        /*) oldifs=$IFS; IFS='|'
            # Unquoted, so that the patterns expand.
            for file in $1; do
                if [ -e "$file" ]; then IFS=$oldifs; return 0; fi
            done
            IFS=$oldifs
            return 1 ;;
        *) command -v "$1" >/dev/null 2>&1 ;;
    esac
}

# missing <list of tool=package>: prints the packages whose tool is absent.
missing() {
    set -f
    for entry in $1; do
        set +f
        present "${entry%=*}" || printf ' %s' "${entry##*=}"
        set -f
    done
    set +f
}

# installable: whether this user can install packages at all; sets $hindrance otherwise.
installable() {
    if ! command -v apt-get >/dev/null 2>&1; then
        hindrance='there is no apt-get here'
    elif [ "$(id -u)" != 0 ]; then
        hindrance='only root can install packages'
    else
        return 0
    fi
    return 1
}

# install <package>...: quietly, asking nothing. Package lists are fetched only when the first try fails. Sets $hindrance on failure.
install() {
    installable || return 1
    say "installing with apt-get: $*"
    log=$(mktemp)
    export DEBIAN_FRONTEND=noninteractive
    if apt-get install -y -q --no-install-recommends "$@" >"$log" 2>&1 </dev/null ||
        { apt-get update -q >"$log" 2>&1 </dev/null; apt-get install -y -q --no-install-recommends "$@" >>"$log" 2>&1 </dev/null; }; then
        rm -f "$log"
        return 0
    fi
    tail -n 5 "$log" >&2
    rm -f "$log"
    hindrance='apt-get failed, its last lines are above'
    return 1
}

# java_major <home>: sets $major to the Java version of a JDK or JRE, from its release file, 0 when there is none.
java_major() {
    major=0
    [ -r "$1/release" ] && [ -x "$1/bin/java" ] || return 0
    while IFS= read -r line; do
        case $line in
            JAVA_VERSION=*)
                line=${line#*\"}
                line=${line#1.}
                major=${line%%[!0-9]*}
                return 0 ;;
        esac
    done <"$1/release"
}

# find_jdk: sets $jdk to the JDK to build with, empty when there is none that is new enough.
find_jdk() {
    jdk=
    if [ -n "${CORDON_JAVA_HOME:-}" ]; then
        java_major "$CORDON_JAVA_HOME"
        if [ "$major" -lt $oldest_jdk ] || [ ! -x "$CORDON_JAVA_HOME/bin/javac" ]; then
            fail "CORDON_JAVA_HOME is $CORDON_JAVA_HOME, which is not a JDK $oldest_jdk or later"
        fi
        jdk=$CORDON_JAVA_HOME
        return
    fi
    newest=$((oldest_jdk - 1))
    for home in "${JAVA_HOME:-/none}" /usr/lib/jvm/* /opt/*jdk* "${HOME:-/none}"/.sdkman/candidates/java/*; do
        [ -x "$home/bin/javac" ] || continue
        java_major "$home"
        if [ "$major" -gt "$newest" ]; then
            newest=$major
            jdk=$home
            # The caller's own choice is good when it is new enough.
            if [ "$home" = "${JAVA_HOME:-/none}" ]; then return; fi
        fi
    done
}

need_jdk() {
    find_jdk
    [ -z "$jdk" ] || return 0
    package=
    if command -v apt-cache >/dev/null 2>&1; then
        package=$(apt-cache search --names-only '^openjdk-[0-9]+-jdk-headless$' 2>/dev/null | sed 's/ .*//' | sort -t- -k2 -rn | head -n 1)
        number=${package#openjdk-}
        number=${number%%-*}
        [ "${number:-0}" -ge $oldest_jdk ] || package=
    fi
    if [ -n "$package" ] && install "$package"; then
        find_jdk
    fi
    [ -n "$jdk" ] || fail "Cordon needs a JDK $oldest_jdk or later, and this machine has none${package:+ ($hindrance)}." \
        "Install ${package:-one (this distribution packages none; Eclipse Temurin, Corretto, Zulu and Oracle offer archives and packages)}," \
        'then run this again. A JDK outside /usr/lib/jvm is found through CORDON_JAVA_HOME=<its directory>.'
}

# need_gradle: sets $gradle, and $gradle_java to a Java that it can run on (Debian's 4.4.1 does not start on the newest ones).
need_gradle() {
    gradle=$(command -v gradle) || {
        install gradle || fail "Gradle is missing: $hindrance." 'As root: apt-get install gradle   (or put any Gradle 4.4.1 or later on the PATH)'
        gradle=$(command -v gradle)
    }
    find_gradle_java
    [ -n "$gradle_java" ] && return
    install openjdk-17-jre-headless || install default-jre-headless || fail "Gradle needs a Java 17 to run on: $hindrance." \
        'As root: apt-get install openjdk-17-jre-headless'
    find_gradle_java
    [ -n "$gradle_java" ] || fail 'no Java that Gradle can run on was found in /usr/lib/jvm'
}

find_gradle_java() {
    gradle_java=
    for wanted in 17 21 11; do
        for home in /usr/lib/jvm/* "${JAVA_HOME:-/none}"; do
            java_major "$home"
            if [ "$major" = $wanted ]; then
                gradle_java=$home
                return
            fi
        done
    done
    # A Gradle that is not Debian's old one knows newer versions of Java, and says so itself if not.
    home=$(dirname -- "$(dirname -- "$(readlink -f -- "$gradle")")")
    [ -e "$home/lib/gradle-launcher-4.4.1.jar" ] || gradle_java=$jdk
}

need_build_tools() {
    packages=$(missing "$build_tools")
    # shellcheck disable=SC2086 # a list of names
    [ -z "$packages" ] || install $packages || fail "the build needs tools that are not here: $hindrance." "As root: apt-get install$packages   (Debian's names of the packages)"
}

need_test_tools() {
    packages=$(missing "$test_tools$machine_tools")
    [ -n "$packages" ] || return 0
    # shellcheck disable=SC2086
    if ! install $packages; then
        say "the tests use tools that are not here ($hindrance). As root: apt-get install$packages"
        [ "${CORDON_TESTS_MUST_RUN:-}" != 1 ] || fail 'CORDON_TESTS_MUST_RUN=1 forbids to go on without them'
    fi
}

# Where they can not be installed, the program itself says what is missing when a machine is asked for.
need_machine_tools() {
    packages=$(missing "$machine_tools")
    # shellcheck disable=SC2086
    [ -z "$packages" ] || ! installable || install $packages || say "isolation vm needs these packages ($hindrance):$packages"
}

# wants check|tools|program <arguments>: whether the tasks asked for are checks, or use the test tools.
wants() {
    purpose=$1
    shift
    for argument in "$@"; do
        case $purpose,${argument##*:} in
            *,-*) ;;
            *,check | *,checkAll | *,build) return 0 ;;
            program,installCli | program,debianPackage) return 0 ;;
            tools,*[tT]est* | tools,asan | tools,fuzz | tools,format*) return 0 ;;
        esac
    done
    return 1
}

need_build_tools
if wants tools "$@"; then need_test_tools; elif wants program "$@"; then need_machine_tools; fi
need_jdk
need_gradle

case $(pwd -P)/ in
    "$root"/*) ;;
    *) cd "$root" ;;
esac
export JAVA_HOME="$gradle_java"
# A build is short: half of its processor time went into compiling Gradle itself.
export GRADLE_OPTS="${GRADLE_OPTS:--XX:TieredStopAtLevel=1 -XX:+UseSerialGC}"
if ! wants check "$@"; then
    exec "$gradle" "-Pcordon.jdk=$jdk" "$@"
fi

# After a check the last line says how the tests went; Gradle would end with a line of its own.
summary=$root/build/test-summary.txt
rm -f "$summary"
status=0
"$gradle" "-Pcordon.jdk=$jdk" "$@" || status=$?
if [ -e "$summary" ]; then
    tail -n 1 "$summary"
else
    say 'no test was run'
fi
exit $status
