"""How soon the window gets the interpreter back from a thread that simulates."""

import sys
import threading

_SWITCH_INTERVAL_S = 0.0005
"""Ten times sooner than by default; without it each of the many small calls of a repaint would wait 5 ms."""


class QuickSwitching:
    """Counts the threads that simulate; while there is one, the interpreter is handed over quickly."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0
        self._usual_s = sys.getswitchinterval()

    def begin(self) -> None:
        """A thread is about to simulate."""
        with self._lock:
            if self._count == 0:
                self._usual_s = sys.getswitchinterval()
                sys.setswitchinterval(_SWITCH_INTERVAL_S)
            self._count += 1

    def end(self) -> None:
        """A thread has simulated."""
        with self._lock:
            self._count -= 1
            if self._count == 0:
                sys.setswitchinterval(self._usual_s)


QUICK_SWITCHING = QuickSwitching()
"""The interpreter has one interval for all threads."""
