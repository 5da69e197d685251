"""The modal questions and file dialogs; tests replace this with prepared answers."""

from enum import Enum
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from ui.runs.run_data import RunData

SUFFIX = ".headroom"


class Answer(Enum):
    """What to do with changes that are not saved."""

    SAVE = "save"
    DISCARD = "discard"
    CANCEL = "cancel"


class Questions:
    """Questions in the platform's dialogs."""

    def __init__(self, window: QWidget) -> None:
        self._window = window

    def file_to_open(self, folder: Path) -> Path | None:
        """A plan file, None if cancelled."""
        chosen, _kind = QFileDialog.getOpenFileName(self._window, _tr("Open plan"), str(folder), _file_kinds())
        return Path(chosen) if chosen else None

    def file_to_save(self, suggestion: Path) -> Path | None:
        """Where to save the plan, None if cancelled. The suffix is put on if it is missing."""
        dialog = QFileDialog(self._window, _tr("Save plan as"), str(suggestion.parent), _file_kinds())
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(SUFFIX[1:])
        dialog.selectFile(suggestion.name)
        chosen = dialog.selectedFiles() if dialog.exec() else []
        return Path(chosen[0]) if chosen else None

    def folder_for_report(self, folder: Path) -> Path | None:
        """The folder for the CSV files, None if cancelled."""
        chosen = QFileDialog.getExistingDirectory(self._window, _tr("Choose a folder for the CSV files"), str(folder))
        return Path(chosen) if chosen else None

    def unsaved_changes(self, name: str) -> Answer:
        """Save, discard or cancel."""
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setText(_tr("Save the changes to “{name}”?").format(name=name))
        box.setInformativeText(_tr("Your changes will be lost if you don't save them."))
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        answers = {buttons.Save: Answer.SAVE, buttons.Discard: Answer.DISCARD}
        return answers.get(buttons(box.exec()), Answer.CANCEL)

    def may_stop_run(self, run: RunData) -> bool:
        """Whether a running simulation may be stopped. If the run ends by itself, the question closes and the answer
        is no: its results have just been shown.
        """
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setText(_tr("A run is in progress ({label}). Stop it and close?").format(label=run.label))
        stop = box.addButton(_tr("Stop and close"), QMessageBox.ButtonRole.AcceptRole)
        stay = box.addButton(_tr("Keep running"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(stop)
        box.setEscapeButton(stay)

        def look() -> None:
            if not run.state.is_live:
                box.reject()

        run.state_changed.connect(look)
        box.exec()
        run.state_changed.disconnect(look)
        return box.clickedButton() is stop


def _file_kinds() -> str:
    return _tr("Headroom plans (*{suffix});;All files (*)").format(suffix=SUFFIX)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Questions", text)
