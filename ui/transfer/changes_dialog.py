"""What has to be applied to the cluster so that it becomes as the plan says: to read, copy and keep."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
)

from planner import api
from planner.api import Plan
from planner.disk.atomic import replace_file
from planner.disk.cures import cure_of, reason_of
from planner.errors import PlannerError, ResultFileError
from planner.kube.changes.changes_text import ChangesText, changes_text
from planner.kube.changes.patch_files import write_changes
from ui.document.plan_document import PlanDocument
from ui.document.questions import Questions
from ui.process.latest_work import LatestWork
from ui.process.settings import WindowSettings
from ui.transfer.manifest_messages import ManifestMessages
from ui.widgets.message_bar import MessageBar, MessageKind
from ui.wording.numbers import counted

_MESSAGE, _FOLDER, _FILE = "changes", "manifests", "changes.txt"


class ChangesDialog(QDialog):
    """The differences of objects, flags of the autoscaler and sizes of pools. Blocks nothing."""

    def __init__(
        self,
        document: PlanDocument,
        manifests: ManifestMessages,
        questions: Questions,
        settings: WindowSettings,
        proposed: Plan | None = None,
    ) -> None:
        """`proposed`: the plan to get to, in place of the open one."""
        super().__init__(manifests.window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Changes to apply"))
        self.resize(860, 620)
        self._document, self._questions, self._settings = document, questions, settings
        self._proposed = proposed
        self._messages: MessageBar = manifests.messages
        self._work, self.found = LatestWork("changes", self), ChangesText((), "", ())
        self._bases: list[Plan] = []
        self.base, self.text, self.own = QComboBox(), QPlainTextEdit(), QLabel()
        if proposed is not None:
            self._add_base(self.tr("the plan as it is"), document.plan)
        if manifests.imported is not None:
            self._add_base(self.tr("the plan as it was imported"), manifests.imported)
        self._add_base(self.tr("the plan as it was saved"), document.saved_plan)
        self._compose()
        self.base.currentIndexChanged.connect(self._compare)
        document.changed.connect(self._compare)
        self._compare()

    def _compose(self) -> None:
        other = _button(self.tr("Another &plan…"), self._choose_base)
        self.base.setAccessibleName(self.tr("In place now"))
        self.base.setToolTip(self.tr("What the cluster is like before the changes"))
        caption = QLabel(self.tr("&In place now:"))
        caption.setBuddy(self.base)
        across = QHBoxLayout()
        across.addWidget(caption)
        across.addWidget(self.base, 1)
        across.addWidget(other)
        self.text.setReadOnly(True)
        self.text.setAccessibleName(self.tr("Changes to apply"))
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.own.setProperty("muted", True)
        self.own.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        role = QDialogButtonBox.ButtonRole.ActionRole
        self.copy = _button(self.tr("&Copy"), lambda: QGuiApplication.clipboard().setText(self.found.text))
        self.save = _button(self.tr("&Save as text…"), self._save)
        self.patches = _button(self.tr("Write &patches…"), self._write)
        self.patches.setToolTip(self.tr("A strategic merge patch for each object, and a kustomization, into a folder"))
        for button in (self.copy, self.save, self.patches):
            buttons.addButton(button, role)
        buttons.rejected.connect(self.close)
        down = QVBoxLayout(self)
        down.addLayout(across)
        down.addWidget(self.text, 1)
        down.addWidget(self.own)
        down.addWidget(buttons)

    def _add_base(self, name: str, plan: Plan) -> None:
        self._bases.append(plan)
        self.base.addItem(name)

    def _choose_base(self) -> None:
        path = self._questions.file_to_open(self._settings.folder("plans"))
        if path is None:
            return
        try:
            plan = api.load_plan(str(path))
        except PlannerError as error:
            self._tell(error)
            return
        self._add_base(path.name, plan)
        self.base.setCurrentIndex(self.base.count() - 1)

    def _compare(self, _fields: object = None) -> None:
        base = self._bases[max(0, self.base.currentIndex())]
        plan = self._document.plan if self._proposed is None else self._proposed
        self._work.start(partial(changes_text, base, plan), self._show)

    def _show(self, found: ChangesText) -> None:
        self.found = found
        self.text.setPlainText(found.text)
        self.patches.setEnabled(bool(found.objects))
        one = self.tr("In the plan only, nothing to apply: 1 change, such as load or prices.")
        many = self.tr("In the plan only, nothing to apply: {count} changes, such as load and prices.")
        self.own.setText(counted(len(found.own), one, many))
        self.own.setToolTip("\n".join(found.own[:40]))
        self.own.setVisible(bool(found.own))

    def _save(self) -> None:
        path = self._questions.file_for_changes(self._settings.folder(_FOLDER) / _FILE)
        if path is not None:
            self._settings.keep_folder(_FOLDER, path.parent)
            self._keep(lambda: _written(path, self.found.text), str(path))

    def _write(self) -> None:
        folder = self._questions.folder_for_manifests(self._settings.folder(_FOLDER))
        if folder is not None:
            self._settings.keep_folder(_FOLDER, folder)
            self._keep(lambda: write_changes(self.found.objects, folder), str(folder))

    def _keep(self, write: Callable[[], object], place: str) -> None:
        try:
            write()
        except ResultFileError as error:
            self._tell(error)
            return
        text = self.tr("The changes were written: {place}").format(place=place)
        self._messages.show_message(MessageKind.GOOD, text, key=_MESSAGE)

    def _tell(self, error: PlannerError) -> None:
        self._messages.show_message(MessageKind.ERROR, self.tr("That did not work."), str(error), key=_MESSAGE)


def _button(name: str, act: Callable[[], object]) -> QPushButton:
    button = QPushButton(name)
    button.setAutoDefault(False)
    button.clicked.connect(lambda _on=False: act())
    return button


def _written(path: Path, text: str) -> None:
    """Raises ResultFileError."""
    try:
        replace_file(path.resolve(), (text + "\n").encode())
    except OSError as error:
        problem = f"The file cannot be written ({reason_of(error)})."
        raise ResultFileError(str(path), problem, cure_of(error)) from error
