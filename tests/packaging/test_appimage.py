"""The folder that appimagetool gets; the tool itself is replaced by one that only looks at it."""

import os
import subprocess

from tests.packaging.conftest import PROJECT

LOOK = """#!/bin/sh
set -e
test -s "$1/headroom.desktop" && test -s "$1/.DirIcon" && test -n "$ARCH"
test -s "$1/usr/share/man/man1/headroom.1" && test -s "$1/usr/share/bash-completion/completions/headroom"
test -s "$1/usr/share/zsh/site-functions/_headroom" && test -s "$1/usr/share/fish/vendor_completions.d/headroom.fish"
"$1/AppRun" --help >/dev/null
echo "$2" >"$0.answer"
"""


def test_the_folder_starts_and_has_entry_and_icon(frozen, tmp_path):
    tool = tmp_path / "appimagetool"
    tool.write_text(LOOK)
    tool.chmod(0o755)
    done = subprocess.run(
        ["sh", "packaging/appimage.sh"],
        cwd=PROJECT, env=os.environ | {"APPIMAGETOOL": str(tool)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "appimagetool.answer").read_text().startswith("dist/Headroom-")


def test_without_the_tool_it_says_what_to_set(tmp_path):
    environment = {key: value for key, value in os.environ.items() if key != "APPIMAGETOOL"}
    done = subprocess.run(["sh", "packaging/appimage.sh"], cwd=PROJECT, env=environment, capture_output=True, text=True)
    assert done.returncode == 2
    assert "APPIMAGETOOL" in done.stderr
