#!/bin/sh
# Writes requirements.txt: every package that set-up installs, with its version and the hashes of its wheels, for all
# supported versions of Python on Linux, Windows and macOS. Pins that still fit are kept.
# Usage: packaging/lock.sh [PYTHON [OPTION OF UV...]]      such as --upgrade, or --upgrade-package NAME
set -eu
cd "$(dirname "$0")/.."
python=${1:-python3}
[ $# -eq 0 ] || shift
tool=build/lock

# The resolver is needed here only; set-up installs with pip.
if ! "$tool/bin/uv" --version >/dev/null 2>&1; then
    "$python" -m venv --clear "$tool"
    "$tool/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: "uv==0.13.8"
fi
# One version for all Pythons, where the ranges in pyproject.toml allow it.
"$tool/bin/uv" pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --extra dev \
    --generate-hashes --only-binary :all: --output-file requirements.txt pyproject.toml "$@"
