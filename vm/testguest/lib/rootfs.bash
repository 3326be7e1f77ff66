# shellcheck shell=bash disable=SC2016
# The root layer: root.img, vmlinuz and the list of installed packages, from
# the apt sources that this machine is configured with.

readonly KERNEL_METAPACKAGE=linux-image-cloud-amd64
# Sparse, and a run's writes are thrown away: room costs nothing.
readonly ROOT_IMAGE_SIZE=4G

# Without root, mmdebstrap takes namespaces of its own.
if ((EUID == 0)); then
    readonly PRIVATE_MOUNTS=(unshare --mount --propagation private --)
else
    readonly PRIVATE_MOUNTS=(env)
fi

rootfs_build() {
    local key kernel packages codename
    local -a sources
    require_commands apt-get apt-cache dpkg-deb mmdebstrap mke2fs unshare sha256sum

    kernel=$(rootfs_kernel_package)
    [[ -n $kernel ]] || fail "$EXIT_UNAVAILABLE" "apt knows no $KERNEL_METAPACKAGE; try: apt-get update"
    packages=$(rootfs_packages)
    codename=$(rootfs_codename)
    mapfile -t sources < <(rootfs_source_files "$codename")
    ((${#sources[@]} > 0)) || fail "$EXIT_UNAVAILABLE" "apt has no Debian source for $codename"

    key=$(rootfs_key "$kernel" "$codename")
    if cache_has rootfs "$key"; then
        say "guest ${key:0:12} is in the cache"
    else
        rootfs_make "$kernel" "$packages" "$codename" "${sources[@]}"
        cache_publish rootfs "$key" "$work/rootfs"
    fi
    cache_select rootfs "$key"
}

# NAME=VERSION of the package that the metapackage stands for.
rootfs_kernel_package() {
    local name version
    name=$(apt-cache depends --important "$KERNEL_METAPACKAGE" 2>/dev/null | sed -n 's/^ *Depends: \(linux-image-.*\)/\1/p' | head -n 1)
    [[ -n $name ]] || return 0
    version=$(apt-cache policy "$name" | sed -n 's/^ *Candidate: //p')
    printf '%s=%s' "$name" "$version"
}

rootfs_packages() {
    sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$TESTGUEST_HOME/packages" | paste -sd,
}

rootfs_codename() {
    # shellcheck disable=SC1091
    (. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
}

# Whole files, because their options and Signed-By belong to the entries.
rootfs_source_files() {
    rootfs_index_targets '$(SOURCESENTRY)' "$1" | sed 's/:[0-9]*$//' | sort -u
}

rootfs_index_targets() {
    local format=$1 codename=$2
    apt-get indextargets --format "\$(RELEASE) $format" 'Created-By: Packages' 'Origin: Debian' 'Architecture: amd64' |
        sed -n "s/^${codename}[^ ]* //p"
}

rootfs_key() {
    local kernel=$1 codename=$2
    {
        printf '%s\n' "$kernel" "$codename"
        rootfs_index_targets '$(REPO_URI) $(RELEASE) $(COMPONENT)' "$codename"
        hash_of_files "$TESTGUEST_HOME/packages" "$TESTGUEST_HOME/lib/rootfs.bash" \
            "$TESTGUEST_HOME/lib/assemble" "$TESTGUEST_HOME/guest"
    } | sha256sum | cut -d' ' -f1
}

rootfs_make() {
    local kernel=$1 packages=$2 codename=$3
    shift 3
    mkdir "$work/rootfs" "$work/kernel" "$work/tmp"
    progress_begin 8 "$work/build.log"

    progress_run 'downloading the kernel' env -C "$work/kernel" \
        apt-get -o APT::Sandbox::User= download "$kernel"
    dpkg-deb -x "$work"/kernel/*.deb "$work/kernel"

    rootfs_apt_settings >"$work/apt.conf"
    TMPDIR=$work/tmp progress_run 'updating package lists' "${PRIVATE_MOUNTS[@]}" mmdebstrap \
        --variant=minbase --format=tar --include="$packages" --aptopt="$work/apt.conf" \
        --dpkgopt=force-unsafe-io \
        --dpkgopt='path-exclude=/usr/share/doc/*' \
        --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' \
        --customize-hook='chroot "$1" useradd --uid 1000 --create-home --shell /bin/bash tester' \
        --customize-hook='chroot "$1" dpkg-query --show >"$1/etc/testguest-packages"' \
        "$codename" "$work/root.tar" "$@"

    progress_run 'making the image' "${AS_GUEST_ROOT[@]}" \
        "$TESTGUEST_HOME/lib/assemble" "$work" "$TESTGUEST_HOME/guest" "$ROOT_IMAGE_SIZE"
    cp "$work"/kernel/boot/vmlinuz-* "$work/rootfs/vmlinuz"
    progress_end 'guest made'
}

# How this machine reaches its mirror, and whether it trusts an old index.
rootfs_apt_settings() {
    apt-config dump --format '%F "%v";%n' |
        grep -E '^Acquire::(https?::|Check-Valid-Until|Retries)' || true
}
