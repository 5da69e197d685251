"""The modal questions and file dialogs; tests replace this with prepared answers."""

from enum import Enum
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton, QWidget

from ui.runs.run_data import RunData

SUFFIX = ".headroom"


class Answer(Enum):
    """What to do with changes that are not saved."""

    SAVE = "save"
    DISCARD = "discard"
    CANCEL = "cancel"


class Conflict(Enum):
    """What to do when the file to be saved is another program's work by now."""

    COPY = "copy"
    OVERWRITE = "overwrite"
    RELOAD = "reload"
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

    def file_for_report(self, suggestion: Path) -> Path | None:
        """Where to write the report; its ending says in which format. None if cancelled."""
        return self._file_to_write(_tr("Export report"), suggestion, _report_kinds())

    def file_for_picture(self, suggestion: Path) -> Path | None:
        """Where to write a picture; its ending says in which format. None if cancelled."""
        return self._file_to_write(_tr("Export picture"), suggestion, {"png": "PNG (*.png)", "svg": "SVG (*.svg)"})

    def _file_to_write(self, title: str, suggestion: Path, kinds: dict[str, str]) -> Path | None:
        """`kinds` are filters by ending; the ending follows the chosen kind, unless another known one is typed."""
        dialog = QFileDialog(self._window, title, str(suggestion.parent), ";;".join(kinds.values()))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        endings = {shown: ending for ending, shown in kinds.items()}

        def follow(chosen: str) -> None:
            dialog.setDefaultSuffix(endings[chosen])
            names = dialog.selectedFiles()
            name = Path(names[0]) if names else suggestion
            dialog.selectFile(name.with_suffix(f".{endings[chosen]}").name)

        dialog.filterSelected.connect(follow)
        dialog.setDefaultSuffix(suggestion.suffix.removeprefix("."))
        dialog.selectNameFilter(kinds[suggestion.suffix.removeprefix(".")])
        dialog.selectFile(suggestion.name)
        chosen = dialog.selectedFiles() if dialog.exec() else []
        return Path(chosen[0]) if chosen else None

    def folder_for_csv(self, folder: Path) -> Path | None:
        """The folder for the CSV files, None if cancelled."""
        chosen = QFileDialog.getExistingDirectory(self._window, _tr("Choose a folder for the CSV files"), str(folder))
        return Path(chosen) if chosen else None

    def manifests_to_import(self, folder: Path) -> list[Path]:
        """Files with manifests; none if cancelled."""
        kinds = _tr("Manifests and traces (*.yaml *.yml *.json *.csv *.gz);;All files (*)")
        chosen, _kind = QFileDialog.getOpenFileNames(self._window, _tr("Import manifests"), str(folder), kinds)
        return [Path(one) for one in chosen]

    def folder_to_import(self, folder: Path) -> Path | None:
        """A folder with manifests, None if cancelled."""
        chosen = QFileDialog.getExistingDirectory(self._window, _tr("Import a folder of manifests"), str(folder))
        return Path(chosen) if chosen else None

    def folder_for_manifests(self, folder: Path) -> Path | None:
        """Where to write the manifests, None if cancelled."""
        chosen = QFileDialog.getExistingDirectory(self._window, _tr("Choose a folder for the manifests"), str(folder))
        return Path(chosen) if chosen else None

    def measured_files(self, folder: Path) -> list[Path]:
        """Files with measured series; none if cancelled."""
        kinds = _tr("Measured series (*.json *.csv *.gz *.txt *.prom *.om *.openmetrics *.dump);;All files (*)")
        chosen, _kind = QFileDialog.getOpenFileNames(self._window, _tr("Measured series"), str(folder), kinds)
        return [Path(one) for one in chosen]

    def measured_folder(self, folder: Path) -> Path | None:
        """A folder with measured series, None if cancelled."""
        chosen = QFileDialog.getExistingDirectory(self._window, _tr("A folder of measured series"), str(folder))
        return Path(chosen) if chosen else None

    def file_for_series(self, suggestion: Path) -> Path | None:
        """Where to keep measured series, None if cancelled."""
        kinds = _tr("Measured series (*.measured.json.gz)")
        chosen, _kind = QFileDialog.getSaveFileName(self._window, _tr("Keep measured series"), str(suggestion), kinds)
        return Path(chosen) if chosen else None

    def file_for_changes(self, suggestion: Path) -> Path | None:
        """Where to keep changes as text, None if cancelled."""
        kinds = _tr("Text (*.txt *.diff);;All files (*)")
        chosen, _kind = QFileDialog.getSaveFileName(self._window, _tr("Save the changes"), str(suggestion), kinds)
        return Path(chosen) if chosen else None

    def unsaved_changes(self, name: str) -> Answer:
        """Save, discard or cancel."""
        box = self._box(_tr("Save the changes to “{name}”?").format(name=name))
        box.setInformativeText(_tr("Your changes will be lost if you don't save them."))
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        answers = {buttons.Save: Answer.SAVE, buttons.Discard: Answer.DISCARD}
        return answers.get(buttons(box.exec()), Answer.CANCEL)

    def changed_on_disk(self, name: str) -> Conflict:
        """Whose version to keep in the file; whichever it is, the other one is kept beside it."""
        box = self._box(_tr("“{name}” was changed by another program.").format(name=name))
        more = _tr("Neither version is lost: the one that does not stay in the file is kept beside it as a backup.")
        box.setInformativeText(more)
        roles = QMessageBox.ButtonRole
        choices = {
            box.addButton(_tr("Save &mine as…"), roles.AcceptRole): Conflict.COPY,
            box.addButton(_tr("&Overwrite"), roles.DestructiveRole): Conflict.OVERWRITE,
            box.addButton(_tr("&Reload"), roles.DestructiveRole): Conflict.RELOAD,
        }
        return self._chosen(box, choices)

    def gone_from_disk(self, name: str) -> Conflict:
        """Whether to write a file again that was removed or renamed."""
        box = self._box(_tr("“{name}” was removed or renamed by another program.").format(name=name))
        box.setInformativeText(_tr("The plan is still open."))
        choices = {
            box.addButton(_tr("Save it &here again"), QMessageBox.ButtonRole.AcceptRole): Conflict.OVERWRITE,
            box.addButton(_tr("Save &as…"), QMessageBox.ButtonRole.ActionRole): Conflict.COPY,
        }
        return self._chosen(box, choices)

    def _box(self, text: str) -> QMessageBox:
        box = QMessageBox(self._window)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setIcon(QMessageBox.Icon.Question)
        box.setText(text)
        return box

    def _chosen(self, box: QMessageBox, choices: dict[QPushButton, Conflict]) -> Conflict:
        box.setDefaultButton(next(iter(choices)))
        box.setEscapeButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.exec()
        clicked = box.clickedButton()
        return next((choice for button, choice in choices.items() if button is clicked), Conflict.CANCEL)

    def may_stop_run(self, run: RunData) -> bool:
        """Whether a running simulation may be stopped. If the run ends by itself, the question closes and the answer
        is no: its results have just been shown.
        """
        box = self._box(_tr("A run is in progress ({label}). Stop it and close?").format(label=run.label))
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

    def may_stop_experiment(self) -> bool:
        """Whether a running experiment may be stopped."""
        box = self._box(_tr("An experiment is running. Stop it and close?"))
        box.setInformativeText(_tr("The runs that are finished are kept if the plan has a file."))
        stop = box.addButton(_tr("Stop and close"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(stop)
        box.setEscapeButton(box.addButton(_tr("Keep running"), QMessageBox.ButtonRole.RejectRole))
        box.exec()
        return box.clickedButton() is stop


def _report_kinds() -> dict[str, str]:
    """Endings with what the dialog calls them, the most wanted one first."""
    return {
        "html": _tr("Web page (*.html)"),
        "pdf": _tr("PDF document (*.pdf)"),
        "xlsx": _tr("Workbook (*.xlsx)"),
        "md": _tr("Markdown text (*.md)"),
    }


def _file_kinds() -> str:
    return _tr("Headroom plans (*{suffix});;All files (*)").format(suffix=SUFFIX)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Questions", text)
