#!/bin/sh
# Makes .venv with the locked dependencies and the project itself. Called by make; harmless to repeat.
# Usage: packaging/bootstrap.sh [PYTHON]      (run from anywhere)
# With HEADROOM_NEWEST=1 the newest versions that pyproject.toml allows are installed instead of the locked ones.
set -eu
cd "$(dirname "$0")/.."
python=${1:-python3}
stamp=.venv/.headroom-setup

say() { echo "headroom set-up: $*" >&2; }
fail() { say "$@"; exit 1; }

check_python() {
    command -v "$python" >/dev/null 2>&1 ||
        fail "'$python' was not found. Install Python 3.11 or newer, or name it: make setup PYTHON=/path/to/python3.11"
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail "$("$python" --version) is too old; Python 3.11 or newer is needed." \
            "Name another one: make setup PYTHON=/path/to/python3.11"
}

# What the installed environment depends on: when this text is unchanged, there is nothing to do.
fingerprint() {
    pwd -P
    "$python" -c 'import sys; print(sys.version)'
    echo "newest: ${HEADROOM_NEWEST:-no}"
    command -v cc || echo "no compiler"
    cat pyproject.toml requirements.txt packaging/bootstrap.sh planner/__init__.py setup.py planner/kernels/*/*.p[yx][xd] | cksum
}

can_make_venv() { "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; }

# Debian ships the venv module apart from Python. Root gets it installed, others are told how.
install_system_packages() {
    can_make_venv && return 0
    package="python3-venv"
    command -v dpkg >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1 ||
        fail "'$python' has no venv/ensurepip module; install the package of your system that brings it."
    if dpkg -s "$package" 2>/dev/null | grep -q "^Status: install ok installed"; then
        fail "'$python' has no venv/ensurepip module although $package is installed: it is not the system's" \
            "Python. Install its own venv module or choose another: make setup PYTHON=/usr/bin/python3"
    fi
    if [ "$(id -u)" -ne 0 ]; then
        fail "the system package $package is missing. Type: sudo apt-get install -y $package   and repeat."
    fi
    say "installing the system package $package"
    { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$package"; } >&2 ||
        say "warning: apt-get could not install $package; trying without it."
}

# The kernels are built where that is possible; everything works without them.
can_compile() {
    command -v cc >/dev/null 2>&1 &&
        "$python" -c 'import os, sys, sysconfig
sys.exit(not os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")))'
}

say_if_without_kernels() {
    .venv/bin/python -c 'from planner.kernels import switch; raise SystemExit(bool(switch.why_missing()))' ||
        say "the compiled kernels could not be built, so runs give the same results but take longer. To build them," \
            "install a C compiler and the headers of $("$python" --version), and type make setup again."
}

# A folder that was moved, half made or made with another Python is made anew.
make_venv() {
    if [ -x .venv/bin/python ] && .venv/bin/python -m pip --version >/dev/null 2>&1 &&
        [ "$(.venv/bin/python --version)" = "$("$python" --version)" ] &&
        [ "$(.venv/bin/python -c 'import sys; print(sys.prefix)')" -ef .venv ] &&
        { [ ! -f .venv/bin/pip ] || head -n 1 .venv/bin/pip | grep -qF "$(pwd -P)/"; }; then
        return 0
    fi
    install_system_packages
    say "making .venv with $("$python" --version)"
    "$python" -m venv --clear .venv || fail "the virtual environment could not be made with '$python' (see above)."
}

pip_install() {
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input "$@" ||
        fail "pip could not install the dependencies (see above). Is the package index reachable?"
}

# Every locked package is a wheel with a known hash, setuptools among them, which builds the project itself.
install_project() {
    if [ "${HEADROOM_NEWEST:-no}" = 1 ]; then
        say "installing the newest dependencies and the project"
        pip_install --upgrade --upgrade-strategy eager --editable '.[dev]'
        return
    fi
    say "installing the locked dependencies and the project; the first time takes some minutes"
    pip_install --require-hashes --only-binary :all: --requirement requirements.txt
    pip_install --no-deps --no-build-isolation --editable .
}

check_python
if [ -f "$stamp" ] && [ -x .venv/bin/headroom ] && [ "$(cat "$stamp")" = "$(fingerprint)" ]; then
    exit 0
fi
make_venv
rm -f "$stamp"
can_compile || sh packaging/system_packages.sh kernels "$python"
install_project
say_if_without_kernels
fingerprint >"$stamp"
say "done"
