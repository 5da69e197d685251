"""Draws all pictures: python -m tests.ui.pictures [FOLDER of the documents]. Needs no display.

Look at them afterwards. The same sources, Qt and fonts give the same pictures; a font with Korean has to be installed
(Debian: fonts-noto-cjk), for the picture of a report also chromium. Each kind of window is a process of its own, for
Qt takes scale and language when it starts.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[3]
DRAWN = (
    ("tests.ui.pictures.overview", "en", "1"),
    ("tests.ui.pictures.overview", "ko", "1"),
    ("tests.ui.pictures.overview", "en", "2"),
    ("tests.ui.pictures.guide", "en", "1"),
    ("tests.ui.pictures.guide", "ko", "1"),
)
"""Module, language and scale."""
_FOLDERS_OF_USER = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")


def draw(module: str, language: str, scale: str, documents: Path) -> None:
    """Draw the pictures of one module, for a user who has never run the program."""
    with tempfile.TemporaryDirectory() as home:
        surroundings = {"QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale, "LC_ALL": "C.UTF-8", "TZ": "UTC"}
        surroundings |= dict.fromkeys(_FOLDERS_OF_USER, home)
        command = [sys.executable, "-m", module, language, scale, str(documents)]
        subprocess.run(command, cwd=ROOT, env=os.environ | surroundings, check=True)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs"
    for which in DRAWN:
        draw(*which, target.resolve())
