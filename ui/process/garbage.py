"""Python's cyclic garbage collector, kept to the thread of the window; and free memory, given back to the system.

By itself it runs in whichever thread happens to make an object, so a run's thread would take away widgets that refer
to each other; Qt objects may only go in the thread that they live in.
"""

import ctypes
import gc
import mmap
import sys
from time import perf_counter

from PySide6.QtCore import QObject, QTimer

from planner.engine.collection import is_seldom_collected

_LOOK_MS = 500
_REST_PER_SEARCH = 100.0
"""A search of everything is followed by a pause so many times as long: it never takes more than a hundredth of the
time, however much the runs of the session have recorded."""

_MOST_GROWN_MIB = 24.0
"""By so much the process grows until all is searched and free memory is given back, which takes about 15 ms."""


class GarbageSearch(QObject):
    """Switches the automatic search off and searches when it would have, but here."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._rests_until_s = 0.0
        self._trimmed_mib = self._searched_mib = resident_mib()
        """Memory when free pages were last given back, and when everything was last searched."""
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    def look(self) -> None:
        """Search what is due; search everything and give back what is free when the process has grown.

        What is due follows Python's own thresholds, which a run raises while it lasts: much that ended runs leave would
        never be found between one run and the next.
        """
        counts, thresholds, now_mib = gc.get_count(), gc.get_threshold(), resident_mib()
        has_grown = now_mib > self._searched_mib + _MOST_GROWN_MIB and not is_seldom_collected()
        if (has_grown or counts[2] > thresholds[2]) and perf_counter() >= self._rests_until_s:
            self._search_everything()
        elif counts[1] > thresholds[1]:
            gc.collect(1)
        elif counts[0] > thresholds[0]:
            gc.collect(0)
        if now_mib > self._trimmed_mib + _MOST_GROWN_MIB:
            return_free_memory()
            self._trimmed_mib = resident_mib()

    def _search_everything(self) -> None:
        began_s = perf_counter()
        gc.collect()
        return_free_memory()
        ended_s = perf_counter()
        self._trimmed_mib = self._searched_mib = resident_mib()
        self._rests_until_s = ended_s + _REST_PER_SEARCH * (ended_s - began_s)


def return_free_memory() -> None:
    """Give pages that nothing uses back to the system, where the C library is glibc.

    What a run leaves lies scattered among what stays, and by itself glibc gives back the end of its heap alone: the
    window would grow by some MiB with every run, though it holds no more.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def resident_mib() -> float:
    """Memory of the process that is in use or free but kept, in MiB; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * mmap.PAGESIZE / 2**20
    except OSError:
        return 0.0
