"""Notices when another program changes the file of the open plan."""

import hashlib
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from ui.document.plan_document import PlanDocument

_SETTLE_MS = 300
"""Programs write a file in several steps; it is read once they are done."""


class DiskWatch(QObject):
    """Watches the file's content, so that saving it here or touching it signals nothing."""

    changed_on_disk = Signal()
    gone_from_disk = Signal()

    def __init__(self, document: PlanDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._known: str | None = None
        self._watcher = QFileSystemWatcher(self)
        self._settled = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settled.timeout.connect(self.look)
        self._watcher.fileChanged.connect(self._settled.start)
        self._watcher.directoryChanged.connect(self._settled.start)
        document.path_changed.connect(self.accept)
        document.saved.connect(self.accept)

    def accept(self) -> None:
        """Take the current content on disk as known."""
        self._known = _fingerprint(self._document.path)
        self._follow()

    def look(self) -> None:
        """Compare the file with what is known of it."""
        path = self._document.path
        if path is None:
            return
        found, known = _fingerprint(path), self._known
        self._follow()  # a file that was replaced has to be watched again
        if found == known:
            return
        self._known = found
        if found is None:
            self.gone_from_disk.emit()
        else:
            self.changed_on_disk.emit()

    def _follow(self) -> None:
        watched = self._watcher.files() + self._watcher.directories()
        if watched:
            self._watcher.removePaths(watched)
        path = self._document.path
        if path is not None:
            self._watcher.addPaths([str(place) for place in (path, path.parent) if place.exists()])


def _fingerprint(path: Path | None) -> str | None:
    """None if there is no file that can be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() if path is not None else None
    except OSError:
        return None
