"""Python's cyclic garbage collector during a run.

A run makes hardly any cycles, and what it makes (its world, then decisions) lives until its end. Searching all of
that again and again costs a tenth of the run and finds nothing.
"""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

MOST_NEW = 100_000
"""New containers, less those that went, from which on the new ones are searched: so cycles cannot fill the memory."""
_SELDOM = (MOST_NEW, 20, 100)
_lock = threading.Lock()
_under_way = 0
_usual = gc.get_threshold()


@contextmanager
def seldom_collected() -> Iterator[None]:
    """New things are searched seldom, those of `not_collected` never; runs in several threads may overlap."""
    global _under_way, _usual
    with _lock:
        if not _under_way:
            _usual = gc.get_threshold()
            gc.set_threshold(*_SELDOM)
        _under_way += 1
    try:
        yield
    finally:
        with _lock:
            _under_way -= 1
            if not _under_way:
                gc.unfreeze()
                gc.set_threshold(*_usual)


def is_seldom_collected() -> bool:
    """Whether a run is under way in some thread."""
    return _under_way > 0


@contextmanager
def not_collected() -> Iterator[None]:
    """All that is made lives on: it is not searched now, nor later while things are seldom collected."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if _under_way:
            gc.freeze()
        if was_on:
            gc.enable()
