"""Updates that come too fast are put together, and none is lost."""

from PySide6.QtCore import QObject

from ui.runs.calm import Calm


def test_a_burst_triggers_at_once_and_once_more_at_its_end(qtbot):
    seen, news, parent = [], [], QObject()
    calm = Calm(lambda: seen.append(len(news)), 60, parent)
    for number in range(20):
        news.append(number)
        calm.soon()
    assert seen == [1]
    qtbot.waitUntil(lambda: len(seen) == 2)
    assert seen == [1, 20]
    qtbot.wait(100)
    assert len(seen) == 2


def test_now_acts_immediately_and_replaces_the_pending_call(qtbot):
    seen, parent = [], QObject()
    calm = Calm(lambda: seen.append(1), 50, parent)
    calm.soon()
    calm.soon()
    calm.now()
    assert len(seen) == 2
    qtbot.wait(120)
    assert len(seen) == 2
