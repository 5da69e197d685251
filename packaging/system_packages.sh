#!/bin/sh
# Installs the Debian packages that Qt, the tests, the kernels or a build need and that are missing. On other systems, and when
# nothing is missing, it does nothing. Root gets them installed (a failing apt-get only warns); anybody else is told
# what to type. Never fails: whatever is really needed complains by itself afterwards.
# Usage: packaging/system_packages.sh window|test|package|kernels [PYTHON]
set -u
purpose=${1:?window, test, package or kernels}
python=${2:-python3}

# A name with a bar is the same package under its names of different releases.
qt="libgl1 libegl1 libxkbcommon0 libdbus-1-3 libfontconfig1 libglib2.0-0|libglib2.0-0t64 fonts-dejavu-core"
x11="libxcb-cursor0 libxkbcommon-x11-0 libx11-xcb1 libxcb-icccm4 libxcb-keysyms1 libxcb-randr0 libxcb-shape0
    libxcb-sync1 libxcb-xfixes0 libxcb-xkb1"
screen="$qt $x11 libwayland-cursor0 fonts-noto-cjk"
build="binutils desktop-file-utils"

say() { echo "headroom set-up: $*" >&2; }

# Debian keeps the shared library of Python, which a frozen program contains, in a package of its own.
python_library() {
    real=$("$python" -c 'import os, sys; print(os.path.realpath(sys.executable))' 2>/dev/null) || return 0
    dpkg -S "$real" >/dev/null 2>&1 || return 0
    "$python" -c 'import sys; print("libpython%d.%d" % sys.version_info[:2])'
}

# The system's Python has its headers in a package of their own; others bring theirs.
python_headers() {
    real=$("$python" -c 'import os, sys; print(os.path.realpath(sys.executable))' 2>/dev/null) || return 0
    dpkg -S "$real" >/dev/null 2>&1 || return 0
    "$python" -c 'import sys; print("libpython%d.%d-dev" % sys.version_info[:2])'
}

wanted() {
    case $purpose in
        window) echo "$screen" ;;
        kernels) echo "gcc libc6-dev $(python_headers)" ;;
        package) echo "$qt $build $(python_library)" ;;
        test)
            echo "$screen $build $(python_library) xvfb xauth xdotool prometheus kubectl|kubernetes-client"
            [ -z "${HEADROOM_TEST_INSTALL:-}" ] || echo "libglib2.0-bin shared-mime-info chromium"
            ;;
        *) say "packaging/system_packages.sh does not know '$purpose'." ;;
    esac
}

is_installed() { dpkg -s "$1" 2>/dev/null | grep -q "^Status: install ok installed"; }

# The name that apt-get knows, of a package with several.
known_name() {
    for name in $(echo "$1" | tr '|' ' '); do
        apt-cache show "$name" >/dev/null 2>&1 && echo "$name" && return 0
    done
    echo "${1%%|*}"
}

missing() {
    for names in $(wanted); do
        found=
        for name in $(echo "$names" | tr '|' ' '); do
            is_installed "$name" && found=yes && break
        done
        [ -n "$found" ] || echo "$names"
    done
}

command -v dpkg >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1 || exit 0
absent=$(missing)
[ -n "$absent" ] || exit 0
if [ "$(id -u)" -eq 0 ]; then
    say "installing missing system packages:" $absent
    apt-get update -q >&2 || say "warning: apt-get could not renew its lists."
fi
names=
for package in $absent; do names="$names $(known_name "$package")"; done
command="apt-get install -y --no-install-recommends$names"
if [ "$(id -u)" -ne 0 ]; then
    say "system packages are missing. Type: sudo $command"
    exit 0
fi
install() { DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@" >&2; }
# shellcheck disable=SC2086  # names is a list of words
install $names && exit 0
say "apt-get refused the whole list; trying the packages one by one."
for name in $names; do install "$name" || say "warning: apt-get could not install $name; trying without it."; done
exit 0
