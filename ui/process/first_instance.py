"""One window for one user: a second start hands its file over to the first.

They talk through a socket (a named pipe on Windows) that a key in the user's own folder protects; texts only, nothing
that is executed.
"""

import contextlib
import hashlib
import json
import os
import secrets
import sys
import tempfile
import threading
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from ui.process.folders import instance_key, make_private
from ui.process.log import LOG

_PATIENCE_S = 10.0
"""A busy computer answers late, and the file would be open in two windows."""
_MOST_BYTES = 1 << 16
_KEY_BYTES = 32
_TAKEN, _END = b"taken", b"end"


class FirstInstance(QObject):
    """Takes what later starts hand over, in a thread that waits for them."""

    wanted = Signal(str)
    """A later start wants this plan file to be shown; empty where it named none. In the window's thread."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._listener: Listener | None = None
        self._thread: threading.Thread | None = None

    def listen(self) -> bool:
        """Begin; False where another one listens, or where it cannot be done: then every start has its own window."""
        try:
            self._listener = Listener(_address(), authkey=_key(create=True))
        except OSError as error:
            LOG.warning("later starts will open windows of their own: %s", error)
            return False
        self._thread = threading.Thread(target=self._serve, args=(self._listener,), name="instance", daemon=True)
        self._thread.start()
        return True

    def shutdown(self) -> None:
        """Listen no more."""
        if self._listener is not None and self._thread is not None:
            _send(_END)  # wakes the thread
            self._thread.join(_PATIENCE_S)
            self._listener.close()
            self._listener = None

    def _serve(self, listener: Listener) -> None:  # other thread: signals only, which queue
        while True:
            try:
                with listener.accept() as other:
                    message = other.recv_bytes(_MOST_BYTES) if other.poll(_PATIENCE_S) else b""
                    if message == _END:
                        return
                    self.wanted.emit(_path_in(message))
                    other.send_bytes(_TAKEN)
            except (OSError, EOFError, AuthenticationError, ValueError) as error:
                LOG.warning("what another start wanted was not understood: %s", error)


def hand_over(plan: str | None) -> bool:
    """Let the instance that runs already show this file, or itself; False where there is none."""
    path = str(Path(plan).resolve()) if plan else ""
    return _send(json.dumps({"open": path}).encode())


def _send(message: bytes) -> bool:
    """Whether the first instance has taken the message."""
    try:
        with Client(_address(), authkey=_key()) as first:
            first.send_bytes(message)
            return _is_taken(first)
    except ConnectionRefusedError:  # left by one that was killed
        with contextlib.suppress(OSError):
            os.unlink(_address())
        return False
    except (OSError, EOFError, AuthenticationError):
        return False


def _path_in(message: bytes) -> str:
    """Raises ValueError for a message that no later start sends."""
    wanted = json.loads(message)
    if not isinstance(wanted, dict) or not isinstance(wanted.get("open"), str):
        raise ValueError("it names no file")
    return str(wanted["open"])


def _is_taken(first: "Connection[bytes, bytes]") -> bool:
    return first.poll(_PATIENCE_S) and first.recv_bytes(_MOST_BYTES) == _TAKEN


def _address() -> str:
    """Of the user's folder, short enough for a socket."""
    name = "headroom-" + hashlib.sha256(str(instance_key()).encode()).hexdigest()[:16]
    return rf"\\.\pipe\{name}" if sys.platform == "win32" else str(Path(tempfile.gettempdir()) / f"{name}.socket")


def _key(*, create: bool = False) -> bytes:
    """The secret that instances of one user share. Raises OSError where there is none, or none can be written."""
    file = instance_key()
    if create and not file.exists():
        make_private(file.parent)
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as new:
            new.write(secrets.token_bytes(_KEY_BYTES))
    key = file.read_bytes()
    if len(key) < _KEY_BYTES:
        raise OSError(f"{file} is too short")
    return key
