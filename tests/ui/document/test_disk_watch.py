"""Changes of the file by other programs are noticed, our own are not."""

import os

import pytest

from planner.plan.edits.edit import replace_at
from planner.plan.files.io import save_plan
from tests.builders import a_plan
from ui.document.disk_watch import DiskWatch


@pytest.fixture
def path(document, tmp_path):
    document.save_as(tmp_path / "a.headroom")
    return document.path


def test_a_change_by_another_program_is_reported(document, path, qtbot):
    watch = DiskWatch(document)
    watch.accept()
    for name in ("Once", "Twice"):  # a file that is replaced, as careful programs do it
        with qtbot.waitSignal(watch.changed_on_disk, timeout=5000):
            save_plan(a_plan(name=name), path)


def test_our_own_save_is_not_reported(document, path, qtbot):
    watch = DiskWatch(document)
    with qtbot.assertNotEmitted(watch.changed_on_disk, wait=600):
        document.apply(replace_at(document.plan, ("name",), "New"), "Rename")
        document.save()


def test_touching_the_file_is_not_reported(document, path, qtbot):
    watch = DiskWatch(document)
    watch.accept()
    with qtbot.assertNotEmitted(watch.changed_on_disk, wait=600):
        os.utime(path, (1, 1))
        watch.look()


def test_a_removed_file_is_reported(document, path, qtbot):
    watch = DiskWatch(document)
    watch.accept()
    with qtbot.waitSignal(watch.gone_from_disk, timeout=5000):
        path.unlink()
