"""Connects import and export of manifests with the rest of the window."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from ui.document.questions import Questions
from ui.process.settings import WindowSettings
from ui.transfer.manifest_messages import ManifestMessages
from ui.transfer.manifest_reading import is_manifest_file


class ManifestsInWindow(QObject):
    """The actions, and where their files come from."""

    def __init__(self, manifests: ManifestMessages, questions: Questions, settings: WindowSettings) -> None:
        super().__init__(manifests)
        self.manifests, self._questions, self._settings = manifests, questions, settings
        files = (self.tr("&Manifest files…"), self.tr("Kubernetes manifests, kubectl dumps or a public trace"))
        folder = (self.tr("A &folder…"), self.tr("All manifests of a folder and those below it"))
        pasted = (self.tr("&Pasted manifests"), self.tr("The manifests on the clipboard, as YAML or JSON"))
        self.files = self._action(*files, self.choose_files)
        self.files.setShortcut(QKeySequence("Ctrl+I"))
        self.folder = self._action(*folder, self.choose_folder)
        self.pasted = self._action(*pasted, self.manifests.read_clipboard)
        self.pasted.setShortcut(QKeySequence("Ctrl+Shift+V"))

    def _action(self, text: str, tip: str, do: Callable[[], object]) -> QAction:
        action = QAction(text, self)
        action.setToolTip(tip)
        action.triggered.connect(lambda _on=False: do())
        return action

    def fill(self, menu: QMenu) -> None:
        """The ways to import, for the File menu and the start page."""
        for action in (self.files, self.folder, self.pasted):
            menu.addAction(action)
        menu.setToolTipsVisible(True)

    def choose_files(self) -> None:
        """Import files that the user chooses."""
        self._take(self._questions.manifests_to_import(self._settings.folder("manifests")))

    def choose_folder(self) -> None:
        """Import a folder that the user chooses."""
        chosen = self._questions.folder_to_import(self._settings.folder("manifests"))
        self._take([chosen] if chosen is not None else [])

    def choose_export(self) -> None:
        """Write the manifests into a folder that the user chooses."""
        folder = self._questions.folder_for_manifests(self._settings.folder("manifests"))
        if folder is not None:
            self._settings.keep_folder("manifests", folder)
            self.manifests.write(folder)

    def takes(self, paths: list[Path]) -> bool:
        """Import what was dropped or opened if it is no plan file; whether it did."""
        if not paths or not all(map(is_manifest_file, paths)):
            return False
        self._take(paths)
        return True

    def _take(self, paths: list[Path]) -> None:
        if paths:
            self._settings.keep_folder("manifests", paths[0].parent)
            self.manifests.read(paths)
