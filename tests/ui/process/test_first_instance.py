"""A second start hands its file over to the first instance."""

import socket
import sys
import threading
from pathlib import Path

import pytest

from ui.process import first_instance
from ui.process.first_instance import FirstInstance, hand_over


@pytest.fixture
def first(qapp):
    first = FirstInstance()
    assert first.listen()
    yield first
    first.shutdown()


def started(plan):
    """What a later start of the program gets back; it is another process, here another thread."""
    answers = []
    thread = threading.Thread(target=lambda: answers.append(hand_over(plan)))
    thread.start()
    return thread, answers


@pytest.mark.parametrize("name", ["계획 1.headroom", None])
def test_the_first_instance_is_given_the_file(first, tmp_path, qtbot, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    with qtbot.waitSignal(first.wanted) as wanted:
        thread, answers = started(name)
    thread.join(10)
    assert wanted.args == [str(tmp_path / name) if name else ""] and answers == [True]


def test_without_a_first_instance_there_is_none_to_give_it_to(qapp):
    assert not hand_over("my.headroom")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes go with their process")
def test_what_a_killed_instance_left_is_no_instance(qapp):
    first = FirstInstance()
    assert first.listen()
    first.shutdown()
    left = socket.socket(socket.AF_UNIX)
    left.bind(first_instance._address())
    left.close()
    assert not FirstInstance().listen() and not hand_over(None)
    assert first.listen()
    first.shutdown()


@pytest.mark.parametrize("message", [b"", b"no json", b"[]", b"{}", b'{"open": 1}', b'{"open": [1]}'])
def test_nonsense_is_not_taken_and_ends_nothing(first, qtbot, message):
    assert not first_instance._send(message)
    with qtbot.waitSignal(first.wanted):
        thread, answers = started("after.headroom")
    thread.join(10)
    assert answers == [True]


def test_another_user_s_key_opens_nothing(first, monkeypatch):
    with monkeypatch.context() as other:
        other.setattr(first_instance, "_key", lambda **_: b"x" * 32)
        assert not hand_over(None)
    assert Path(first_instance._address()).exists()
