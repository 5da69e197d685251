"""Ctrl+S after another program has changed the file: a question, and neither version is lost."""

import os

import pytest

from planner.plan.edits.edit import replace_at
from planner.plan.files.io import load_plan, save_plan
from tests.builders import a_plan
from ui.document.questions import Conflict


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "shop.headroom"
    save_plan(a_plan(name="Read"), path)
    return path


@pytest.fixture
def edited(window, path):
    """The window shows the file with a change of the user's, and another program has written it since."""
    window.open_path(path)
    rename(window, "Mine")
    save_plan(a_plan(name="Theirs"), path)
    return window


def rename(window, name):
    window.document.apply(replace_at(window.document.plan, ("name",), name), "Rename")


def names_in(folder):
    return {file.name: load_plan(file).name for file in folder.iterdir()}


def test_cancel_writes_nothing(edited, answers, path):
    assert not edited.files.save()
    assert answers.questions == ["conflict"]
    assert load_plan(path).name == "Theirs"
    assert edited.document.plan.name == "Mine" and edited.document.modified


def test_overwriting_keeps_the_other_version_for_good(edited, answers, path):
    answers.conflict = Conflict.OVERWRITE
    assert edited.files.save()
    (message,) = edited.messages.messages
    assert "shop.headroom.~1~" in message.text
    for name in ("Mine again", "And again"):
        rename(edited, name)
        assert edited.files.save()
    assert answers.questions == ["conflict"]
    assert names_in(path.parent)["shop.headroom.~1~"] == "Theirs"
    assert load_plan(path).name == "And again"


def test_a_copy_leaves_the_other_version_in_the_file(edited, answers, path):
    answers.conflict, answers.target = Conflict.COPY, path.with_name("shop-2.headroom")
    assert edited.files.save()
    assert answers.suggestion == answers.target
    assert names_in(path.parent) | {"shop.headroom~": ""} == {
        "shop.headroom": "Theirs",
        "shop-2.headroom": "Mine",
        "shop.headroom~": "",
    }
    assert edited.document.path == answers.target and not edited.document.modified


def test_reloading_keeps_the_users_version_beside_the_file(edited, answers, path):
    answers.conflict = Conflict.RELOAD
    assert not edited.files.save()
    assert edited.document.plan.name == "Theirs" and not edited.document.modified
    assert names_in(path.parent)["shop.headroom.~1~"] == "Mine"
    (message,) = edited.messages.messages
    assert "shop.headroom.~1~" in message.text


def test_a_reload_that_cannot_keep_the_users_version_is_not_made_and_offered_again(edited, path, monkeypatch):
    def full(_handle):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full)
        edited.files.reload()
    assert edited.document.plan.name == "Mine" and edited.document.modified
    (message,) = edited.messages.messages
    assert "was not reloaded" in message.text and "No space left" in message.remedy
    message.buttons[0].click()
    assert edited.document.plan.name == "Theirs" and names_in(path.parent)["shop.headroom.~1~"] == "Mine"


def test_a_file_that_is_written_once_more_while_the_question_is_open_is_asked_about_again(edited, answers, path):
    def overwrite(_name):
        answers.questions.append("conflict")
        if len(answers.questions) == 1:
            save_plan(a_plan(name="Theirs again"), path)
        return Conflict.OVERWRITE

    answers.changed_on_disk = overwrite
    assert edited.files.save()
    assert answers.questions == ["conflict"] * 2
    assert names_in(path.parent)["shop.headroom.~1~"] == "Theirs again"


@pytest.mark.parametrize("gone", ["removed", "renamed"])
def test_a_vanished_file_is_asked_about(edited, answers, path, gone):
    if gone == "removed":
        path.unlink()
    else:
        path.rename(path.with_name("moved.headroom"))
    assert not edited.files.save()
    assert answers.questions == ["gone"] and not path.exists()
    answers.conflict = Conflict.OVERWRITE
    assert edited.files.save()
    assert load_plan(path).name == "Mine"


def test_a_folder_in_its_place_and_a_read_only_file_are_refused_with_a_way_out(edited, answers, path):
    path.chmod(0o444)
    assert not edited.files.save()
    assert "read-only" in edited.messages.messages[0].remedy
    path.unlink()
    path.mkdir()
    assert not edited.files.save()
    (message,) = edited.messages.messages
    assert "There is a folder of that name" in message.remedy
    answers.target = path.with_name("elsewhere.headroom")
    message.buttons[0].click()
    assert load_plan(answers.target).name == "Mine" and not edited.document.modified


def test_keeping_mine_in_the_message_bar_is_answer_enough(edited, answers, path):
    edited.disk.look()
    (message,) = edited.messages.messages
    message.buttons[1].click()
    assert edited.files.save()
    assert answers.questions == []
    assert names_in(path.parent)["shop.headroom.~1~"] == "Theirs"
    assert load_plan(path).name == "Mine"


def test_the_message_that_the_file_is_gone_saves_without_a_question(edited, answers, path):
    path.unlink()
    edited.disk.look()
    (message,) = edited.messages.messages
    message.buttons[0].click()
    assert answers.questions == [] and load_plan(path).name == "Mine"


def test_saving_over_another_file_keeps_what_it_held(edited, answers, path, tmp_path):
    answers.target = tmp_path / "other.headroom"
    save_plan(a_plan(name="Other"), answers.target)
    assert edited.files.save_as()
    rename(edited, "Mine again")
    assert edited.files.save()
    assert names_in(tmp_path)["other.headroom.~1~"] == "Other"
