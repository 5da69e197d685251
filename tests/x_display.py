"""A virtual X display and a hand that types into it, for tests and measurements of the real window."""

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

PATIENCE_S = 180.0
"""Only a fault is waited for so long."""
_POLL_S = 0.02
_PASTE = "from PySide6.QtGui import QGuiApplication as App; app = App([]); print(app.clipboard().text())"


def missing_tools() -> list[str]:
    """What has to be installed for this."""
    return [tool for tool in ("Xvfb", "xdotool") if shutil.which(tool) is None]


@contextlib.contextmanager
def virtual_display(size: str = "1600x1000") -> Iterator[str]:
    """Value for DISPLAY of a new X server, which ends with the block."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(command, pass_fds=(write,), stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as answer:
            number = answer.readline().strip()
        assert number, "Xvfb did not start"
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()


def wait_until(
    happened: Callable[[], bool], what: str, *, alive: Callable[[], bool] = lambda: True, patience_s: float = PATIENCE_S
) -> None:
    """Looks again and again; AssertionError naming `what` when it does not come, or can no more."""
    deadline = time.monotonic() + patience_s
    while not happened():
        assert alive(), f"the program ended before {what}"
        assert time.monotonic() < deadline, f"waited {patience_s:.0f} s in vain for {what}"
        time.sleep(_POLL_S)


@dataclass(frozen=True)
class Hand:
    """Looks for windows on a display and types into them."""

    display: str

    def windows_titled(self, part: str) -> list[str]:
        """Ids of the shown windows with this in their title."""
        found = self._xdotool("search", "--onlyvisible", "--name", ".*")
        return [window for window in found.split() if part in self._xdotool("getwindowname", window)]

    def wait_for_window(self, part: str, alive: Callable[[], bool] = lambda: True) -> str:
        """The first window with this in its title; `alive` returns whether to go on waiting."""
        return self.wait_for_other_window("", part, alive)

    def wait_for_other_window(self, old: str, part: str, alive: Callable[[], bool] = lambda: True) -> str:
        """The first window with this in its title that is not `old`, as seen then: by the next look it may be gone."""
        found: list[str] = []

        def is_there() -> bool:
            found[:] = [window for window in self.windows_titled(part) if window != old]
            return bool(found)

        wait_until(is_there, f"a window titled {part!r}", alive=alive)
        return found[0]

    def process_of(self, window: str) -> str:
        """Number of the process that the window belongs to."""
        return self._xdotool("getwindowpid", window).strip()

    def press(self, window: str, *keys: str) -> None:
        """Type keys as xdotool spells them, such as F5 or ctrl+q; there is no window manager to give the focus."""
        self._xdotool("windowfocus", "--sync", window)
        for key in keys:
            self._xdotool("key", "--clearmodifiers", key)

    def write(self, window: str, text: str) -> None:
        """Type a text as it is."""
        self._xdotool("windowfocus", "--sync", window)
        self._xdotool("type", "--delay", "15", text)

    def click(self, window: str, x: int, y: int) -> None:
        """Click into a window, so far from its left and top."""
        self._xdotool("mousemove", "--window", window, str(x), str(y), "click", "1")

    def drag(self, window: str, y: int, start: int, end: int) -> None:
        """Drag something across, at this height."""
        places = [("mousemove", "--window", window, str(x), str(y)) for x in (start, (start + end) // 2, end)]
        self._xdotool(*places[0], "mousedown", "1", *places[1], *places[2], "mouseup", "1")

    def size_of(self, window: str) -> tuple[int, int]:
        """Width and height."""
        facts = dict(line.split("=") for line in self._xdotool("getwindowgeometry", "--shell", window).split())
        return int(facts["WIDTH"]), int(facts["HEIGHT"])

    def clipboard(self) -> str:
        """The text that was copied last."""
        environment = os.environ | {"DISPLAY": self.display, "QT_QPA_PLATFORM": "xcb"}
        command = [sys.executable, "-c", _PASTE]
        return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=PATIENCE_S).stdout

    def picture(self, target: Path) -> None:
        """A picture of the whole display, where ImageMagick is installed."""
        if shutil.which("import"):
            subprocess.run(["import", "-display", self.display, "-window", "root", str(target)], check=False)

    def _xdotool(self, *words: str) -> str:
        environment = os.environ | {"DISPLAY": self.display}
        return subprocess.run(["xdotool", *words], capture_output=True, text=True, env=environment).stdout
