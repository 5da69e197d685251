"""Messages come, are replaced and go."""

import pytest

from ui.widgets.message_bar import MessageBar, MessageKind


@pytest.fixture
def bar(theme, qtbot):
    bar = MessageBar(theme)
    qtbot.addWidget(bar)
    return bar


def texts(bar):
    return [message.text for message in bar.messages]


def test_messages_are_shown_newest_first_until_closed(bar):
    bar.show_message(MessageKind.INFO, "one")
    bar.show_message(MessageKind.ERROR, "two", "fix it")
    assert texts(bar) == ["two", "one"] and not bar.isHidden()
    for message in bar.messages:
        message.end()
    assert bar.isHidden()


def test_a_message_with_the_same_key_is_replaced(bar):
    bar.show_message(MessageKind.INFO, "one", key="file")
    bar.show_message(MessageKind.INFO, "two", key="file")
    assert texts(bar) == ["two"]
    bar.withdraw("file")
    assert texts(bar) == []


def test_the_oldest_message_is_dropped_when_there_are_many(bar):
    for number in range(7):
        bar.show_message(MessageKind.INFO, str(number))
    assert texts(bar) == ["6", "5", "4", "3"]


def test_a_button_acts_and_closes_its_message(bar):
    done = []
    bar.show_message(MessageKind.WARNING, "changed", actions=[("Reload", lambda: done.append("reload"))])
    bar.messages[0].buttons[0].click()
    assert done == ["reload"] and texts(bar) == []


def test_messages_follow_the_theme(bar, theme):
    bar.show_message(MessageKind.GOOD, "fine")
    theme.choose("dark")
    theme.choose("light")
    assert texts(bar) == ["fine"]
