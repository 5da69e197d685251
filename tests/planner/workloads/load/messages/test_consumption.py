"""What pods fetch from a queue in a step, and how old its messages are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.plan.model.serving import MessageQueue
from planner.workloads.load.messages.ages import WaitingMessages
from planner.workloads.load.messages.consumption import Consumers, QueueColumns, consume


def a_step(before, arrived, pods=2.0, rate=5.0, alone_s=0.2, dt_s=10.0, **queue):
    """A step of one queue whose pods each work through `rate` messages a second."""
    columns = QueueColumns.of([MessageQueue(**{"batch_size": 4} | queue)])
    each = [np.array([float(value)]) for value in (pods, rate, alone_s)]
    found = consume(columns, Consumers(*each), np.array([float(before)]), np.array([float(arrived)]), np.array([dt_s]))
    return [float(column[0]) for column in found]


@pytest.mark.parametrize(("before", "arrived", "queue", "done", "waiting", "held"), [
    pytest.param(0, 50, {}, 49, 0, 1, id="all but those that are worked on at the end"),
    pytest.param(500, 50, {}, 100, 442, 8, id="as many as the pods can; each holds a batch"),
    pytest.param(3, 0, {}, 3, 0, 0, id="the last ones"),
    pytest.param(500, 0, {"visibility_timeout": "500ms"}, 50, 442, 8, id="0.8 s for each: all of it twice"),
])  # fmt: skip
def test_pods_fetch_as_much_as_they_can_work_on(before, arrived, queue, done, waiting, held):
    found = a_step(before, arrived, **queue)
    assert (found[0], found[2], found[3]) == pytest.approx((done, waiting, held))


def test_without_pods_everything_waits():
    done, worked, waiting, held, hold_s = a_step(7, 5, pods=0, rate=0, alone_s=0)
    assert (done, worked, waiting, held) == (0, 0, 12, 0) and np.isnan(hold_s)


@given(
    before=st.floats(0, 1e6), arrived=st.floats(0, 1e6), pods=st.integers(0, 50), rate=st.floats(0.01, 1e3),
    alone_s=st.floats(0.001, 600), batch=st.integers(1, 100), visibility=st.integers(0, 100),
)  # fmt: skip
def test_no_message_is_lost_or_made(before, arrived, pods, rate, alone_s, batch, visibility):
    rate = min(rate, batch / alone_s)
    done, worked, waiting, held, _ = a_step(
        before, arrived, pods, rate, alone_s, batch_size=batch, visibility_timeout=f"{visibility}s"
    )
    assert done + waiting + held == pytest.approx(before + arrived, rel=1e-9, abs=1e-9)
    assert min(done, waiting, held) >= 0 and worked >= done and held <= pods * batch + 1e-9
    assert worked <= pods * rate * 10.0 * (1 + 1e-9)


def test_the_oldest_go_first_and_those_that_come_back_are_the_oldest():
    queue = WaitingMessages()
    queue.add(0, 100, 10)
    queue.add(100, 200, 10)
    queue.leave(15)
    assert queue.oldest_us(200) == 50
    queue.leave(5)
    assert queue.oldest_us(200) == 150
    queue.give_back(3, 200)
    assert queue.oldest_us(200) == 150
    queue.leave(0)
    assert queue.oldest_us(200) == 200
