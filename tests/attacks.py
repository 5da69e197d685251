"""Attacks on code that writes files: a real SIGKILL, or a full disk, at each of its steps, in a child process."""

import os
import resource
import signal
import sys
import traceback
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

_STEPS = ("open", "os.rename", "os.link", "os.chmod", "os.chown", "os.remove", "os.mkdir", "os.rmdir", "shutil.rmtree")
"""Audit events of what changes a disk; writes and syncs are counted beside them."""
_MOST_STEPS = 2_000


def killed_at_every_step(action: Callable[[], object], check: Callable[[int], None], every: int = 1) -> int:
    """Run `action` in a child that is killed before its first step, then before its second one, and so on.

    `check` is called after each kill with the number of the step. Returns how many steps there were.
    """
    for step in range(1, _MOST_STEPS, every):
        if _in_child(partial(_kill_before, step), action) == 0:
            return step - 1
        check(step)
    raise AssertionError("the action never ends")


def on_a_full_disk(action: Callable[[], object], room_bytes: int) -> int:
    """Run `action` in a child that can make no file larger than `room_bytes`; its exit code, 0 or that of an error
    that it raised (1)."""

    def fill_up() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room_bytes, room_bytes))

    return _in_child(fill_up, action)


def _in_child(prepare: Callable[[], object], action: Callable[[], object]) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads; the child starts none
        child = os.fork()
    if child == 0:
        try:
            prepare()
            action()
        except BaseException as error:
            if not type(error).__module__.startswith("planner"):
                traceback.print_exc()
                os._exit(2)
            os._exit(1)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, 1, -signal.SIGKILL), "the child raised an unexpected error"
    return code


def _kill_before(step: int) -> None:
    left = step

    def count() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def on_event(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _STEPS and not (event == "open" and str(arguments[0]).endswith((".py", ".pyc"))):
            count()

    sync = os.fsync

    def counted_sync(fd: Any) -> None:
        count()
        sync(fd)

    os.fsync = counted_sync
    sys.addaudithook(on_event)
