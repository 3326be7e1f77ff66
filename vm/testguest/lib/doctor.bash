# shellcheck shell=bash
# What this machine lacks, each with its remedy.

doctor_missing=0

doctor_main() {
    (($# == 0)) || fail_usage "doctor takes no options"
    doctor_command qemu-system-x86_64 qemu-system-x86
    doctor_command mmdebstrap mmdebstrap
    doctor_command mke2fs e2fsprogs
    doctor_command tar tar
    doctor_command flock util-linux
    doctor_command setpriv util-linux
    doctor_command unshare util-linux
    doctor_command apt-get apt
    doctor_command dpkg-deb dpkg
    doctor_check "apt source of this Debian release" \
        "configure one in /etc/apt" doctor_has_source
    doctor_check "$KERNEL_METAPACKAGE can be downloaded" \
        "run: apt-get update" doctor_has_kernel
    ((EUID == 0)) || doctor_check "user namespace with a subordinate range" \
        "run as root, or install uidmap and add this user to /etc/subuid and /etc/subgid" \
        "${AS_GUEST_ROOT[@]}" true
    ((doctor_missing == 0)) || exit 1
}

doctor_command() { doctor_check "$1" "run: apt-get install $2" command -v "$1"; }

doctor_check() {
    local what=$1 remedy=$2
    shift 2
    if "$@" >/dev/null 2>&1; then
        printf 'ok       %s\n' "$what"
    else
        printf 'missing  %s (%s)\n' "$what" "$remedy"
        doctor_missing=1
    fi
}

doctor_has_source() { [[ -n $(rootfs_source_files "$(rootfs_codename)") ]]; }

doctor_has_kernel() {
    local kernel
    kernel=$(rootfs_kernel_package)
    [[ -n $kernel && -n $(apt-get download --print-uris "$kernel") ]]
}
