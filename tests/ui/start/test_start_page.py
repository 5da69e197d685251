"""Samples and recent files of the start page."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from planner.plan.files.io import load_plan
from ui.process.settings import MOST_RECENT, WindowSettings
from ui.start.samples import samples
from ui.start.start_page import StartPage
from ui.theme.icons import Icons


def test_every_sample_has_a_title_a_description_and_a_plan_that_loads():
    found = samples()
    assert [sample.name for sample in found[:2]] == ["flash-sale", "flash-sale-overprovisioned"]
    for sample in found:
        assert sample.title and 20 < len(sample.about) < 140, sample
        load_plan(sample.path)


def test_samples_are_found_in_a_packaged_program(tmp_path, monkeypatch):
    (tmp_path / "scenarios" / "small").mkdir(parents=True)
    (tmp_path / "scenarios" / "small" / "plan.headroom").write_text("{}", encoding="utf-8")
    monkeypatch.setattr("sys._MEIPASS", str(tmp_path), raising=False)
    assert [(sample.name, sample.title) for sample in samples()] == [("small", "small")]


def test_one_click_opens_a_sample(theme, qtbot):
    page = StartPage(WindowSettings(), Icons(theme))
    qtbot.addWidget(page)
    button = page.findChildren(QPushButton, "sample")[1]
    with qtbot.waitSignal(page.sample_chosen) as chosen:
        button.click()
    assert chosen.args == [samples()[1].path]


def test_recent_files_are_listed_while_they_exist(theme, qtbot, tmp_path):
    settings = WindowSettings()
    page = StartPage(settings, Icons(theme))
    qtbot.addWidget(page)
    kept, gone = tmp_path / "kept.headroom", tmp_path / "gone.headroom"
    kept.touch()
    settings.add_recent(gone)
    settings.add_recent(kept)
    rows = page.findChildren(QPushButton, "recentFile")
    assert [row.accessibleName() for row in rows] == ["kept.headroom"]
    with qtbot.waitSignal(page.file_chosen) as chosen:
        rows[0].click()
    assert chosen.args == [kept]


def test_recent_files_are_few_and_without_repeats(qapp, tmp_path):
    settings = WindowSettings()
    for number in range(MOST_RECENT + 3):
        settings.add_recent(tmp_path / f"{number}.headroom")
    settings.add_recent(tmp_path / "5.headroom")
    settings.sync()
    again = WindowSettings().recent
    assert len(again) == MOST_RECENT and again[0].name == "5.headroom" and len(set(again)) == MOST_RECENT


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_keys_press_the_button_that_has_the_focus(theme, qtbot, key):
    page = StartPage(WindowSettings(), Icons(theme))
    qtbot.addWidget(page)
    with qtbot.waitSignal(page.sample_chosen, timeout=1000):
        qtbot.keyClick(page.findChildren(QPushButton, "sample")[0], key)
