"""Notices when another program changes the file of the open plan."""

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from planner.disk.version import ABSENT, version_of
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
        self._known = ABSENT
        self._watcher = QFileSystemWatcher(self)
        self._settled = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settled.timeout.connect(self.look)
        self._watcher.fileChanged.connect(self._settled.start)
        self._watcher.directoryChanged.connect(self._settled.start)
        document.path_changed.connect(self.accept)
        document.saved.connect(self.accept)

    @property
    def found(self) -> str:
        """The version seen last."""
        return self._known

    def accept(self) -> None:
        """Take what the document has read or written as known, else what is on disk now."""
        version = self._document.version
        self._known = version if version is not None else _version(self._document.path)
        self._follow()

    def look(self) -> None:
        """Compare the file with what is known of it."""
        path = self._document.path
        if path is None:
            return
        found, known = _version(path), self._known
        self._follow()  # a file that was replaced has to be watched again
        if found == known:
            return
        self._known = found
        if found == ABSENT:
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


def _version(path: Path | None) -> str:
    """That of no file, if there is none that can be read."""
    try:
        return version_of(path) if path is not None else ABSENT
    except OSError:
        return ABSENT
