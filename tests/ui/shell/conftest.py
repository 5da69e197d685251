"""The whole window with a user who has made up their mind."""

from pathlib import Path

import pytest

from ui.document.questions import Answer, Conflict, Questions
from ui.process.settings import WindowSettings
from ui.shell.main_window import MainWindow

FLASH_SALE = Path("scenarios/flash-sale/plan.headroom").absolute()


class Answers(Questions):
    """Gives prepared answers and records the questions."""

    def __init__(self):
        self.file = self.target = self.folder = None
        self.manifests = []
        self.changes = Answer.DISCARD
        self.conflict = Conflict.CANCEL
        self.stop_run = True
        self.questions = []

    def file_to_open(self, folder):
        self.questions.append("open")
        return self.file

    def file_to_save(self, suggestion):
        self.questions.append("save")
        self.suggestion = suggestion
        return self.target

    def file_for_changes(self, suggestion):
        self.questions.append("changes file")
        return self.target

    def folder_for_csv(self, folder):
        self.questions.append("folder")
        return self.folder

    def file_for_report(self, suggestion):
        self.questions.append("report")
        self.suggestion = suggestion
        return self.target

    def file_for_picture(self, suggestion):
        self.questions.append("picture")
        self.suggestion = suggestion
        return self.target

    def manifests_to_import(self, folder):
        self.questions.append("manifests")
        return self.manifests

    def folder_to_import(self, folder):
        self.questions.append("import folder")
        return self.folder

    def folder_for_manifests(self, folder):
        self.questions.append("manifest folder")
        return self.folder

    def unsaved_changes(self, name):
        self.questions.append("changes")
        return self.changes

    def changed_on_disk(self, name):
        self.questions.append("conflict")
        return self.conflict

    def gone_from_disk(self, name):
        self.questions.append("gone")
        return self.conflict

    def may_stop_run(self, run):
        self.questions.append("stop")
        return self.stop_run

    def may_stop_experiment(self):
        self.questions.append("stop experiment")
        return self.stop_run


@pytest.fixture
def answers():
    return Answers()


@pytest.fixture
def window(theme, answers, qtbot):
    window = MainWindow(theme, WindowSettings(), answers)
    qtbot.addWidget(window, before_close_func=lambda window: window.end())
    window.resize(1280, 800)
    window.show()
    return window
