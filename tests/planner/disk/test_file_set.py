"""Attacks on files that belong together."""

import errno
import os

import pytest

from planner.disk.file_set import replacing_files
from tests.attacks import killed_at_every_step, on_a_full_disk

NAMES = ("a.csv", "b.csv", "summary.csv")


def write(folder, content, names=NAMES):
    with replacing_files(folder, NAMES, "summary.csv") as part:
        for name in names:
            (part / name).write_text(content)


def shown(folder):
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


def hidden(folder):
    return [path.name for path in folder.iterdir() if path.name.startswith(".")]


def test_a_kill_at_any_step_never_mixes_two_sets(tmp_path):
    write(tmp_path, "old")
    (tmp_path / "mine.txt").write_text("mine")

    def check(_step):
        files = shown(tmp_path)
        assert files.pop("mine.txt") == "mine"
        assert len(set(files.values())) <= 1
        assert "summary.csv" not in files or len(files) == 3
        write(tmp_path, "old")
        assert hidden(tmp_path) == []

    assert killed_at_every_step(lambda: write(tmp_path, "new"), check) > 10
    assert shown(tmp_path) == dict.fromkeys(NAMES, "new") | {"mine.txt": "mine"}


def test_files_of_the_old_set_that_the_new_one_lacks_are_removed(tmp_path):
    write(tmp_path, "old")
    write(tmp_path, "new", ("b.csv", "summary.csv"))
    assert shown(tmp_path) == {"b.csv": "new", "summary.csv": "new"}


def test_a_full_disk_leaves_the_old_set(tmp_path):
    write(tmp_path, "old")

    def fail():
        with pytest.raises(OSError, match="large"):
            write(tmp_path, "new" * 1000)

    assert on_a_full_disk(fail, 100) == 0
    assert shown(tmp_path) == dict.fromkeys(NAMES, "old") and hidden(tmp_path) == []


@pytest.mark.parametrize("nth", range(1, 7))
def test_an_error_while_files_are_exchanged_moves_all_of_them_back(tmp_path, monkeypatch, nth):
    write(tmp_path, "old")
    replace, calls = os.replace, []

    def fail_once(*arguments):
        calls.append(arguments)
        if len(calls) == nth:
            raise OSError(errno.EIO, "Input/output error")
        replace(*arguments)

    monkeypatch.setattr(os, "replace", fail_once)
    with pytest.raises(OSError, match="Input/output"):
        write(tmp_path, "new")
    assert shown(tmp_path) == dict.fromkeys(NAMES, "old") and hidden(tmp_path) == []


def test_a_folder_that_was_made_for_nothing_goes_again(tmp_path):
    with pytest.raises(KeyboardInterrupt), replacing_files(tmp_path / "out", NAMES, "summary.csv") as part:
        (part / "a.csv").write_text("half")
        raise KeyboardInterrupt
    assert not (tmp_path / "out").exists()


def test_a_folder_in_the_way_of_a_file_is_found_before_the_work(tmp_path):
    (tmp_path / "b.csv").mkdir()
    with pytest.raises(IsADirectoryError), replacing_files(tmp_path, NAMES, "summary.csv"):
        pytest.fail("began to write")
