"""Requests that come again, and how long those in a backlog really wait."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.plan.model.serving import Retries
from planner.units import US_PER_S
from planner.workloads.load.backlog_waits import BacklogWaits
from planner.workloads.load.retries import RetryQueue, RetryQueues

S = US_PER_S


def test_a_lost_request_comes_again_after_its_back_off_and_gives_up_in_the_end():
    queue = RetryQueue(Retries(attempts=2, back_off=S))
    assert queue.take(S, 10.0) == 0.0
    assert queue.lose(S, 10.0) == (0.0, 10.0)
    assert queue.take(2 * S, 0.0) == 0.0
    assert queue.take(3 * S, 0.0) == 10.0
    assert queue.lose(3 * S, 10.0) == (0.0, 10.0)
    assert queue.take(5 * S, 0.0) == 0.0
    assert queue.take(6 * S, 0.0) == 10.0
    assert queue.lose(6 * S, 10.0) == (10.0, 0.0)
    assert queue.waiting == 0.0


def test_only_workloads_whose_clients_try_again_have_a_queue():
    queues, both = RetryQueues([Retries(), Retries(attempts=1, back_off=S)]), np.arange(2)
    assert queues.take(both, S, np.array([5.0, 5.0])).tolist() == [0.0, 0.0]
    assert queues.lose(both, S, np.array([5.0, 5.0])).tolist() == [5.0, 0.0]
    assert queues.take(both[1:], 3 * S, np.array([0.0])).tolist() == [5.0]
    assert not RetryQueues([Retries()])


@given(st.lists(st.tuples(st.floats(0, 1e4), st.floats(0, 1)), min_size=1, max_size=30), st.integers(0, 5))
def test_no_try_appears_or_vanishes(steps, attempts):
    queue, made, tried_again, gave_up = RetryQueue(Retries(attempts=attempts, back_off=S)), 0.0, 0.0, 0.0
    for number, (fresh, share) in enumerate(steps):
        again = queue.take(number * 5 * S, fresh)
        lost = (fresh + again) * share
        out = queue.lose(number * 5 * S, lost)
        made, tried_again, gave_up = made + lost, tried_again + again, gave_up + out.gave_up
    assert made == pytest.approx(tried_again + gave_up + queue.waiting, rel=1e-6, abs=1e-6)


def test_waits_of_arrivals_end_when_the_work_before_them_is_done():
    """Capacity 100/s, from 60 s 250/s; load 150/s: the worst wait is not that of the longest backlog."""
    waits, backlog, settled = BacklogWaits(2), 0.0, {}
    for second in range(1, 121):
        served = min(backlog + 150.0, 100.0 if second <= 60 else 250.0)
        backlog += 150.0 - served
        for position, arrived_us, wait_s in waits.add(
            np.arange(2), second * S, np.full(2, S), np.array([7.0, served]), np.array([0.0, backlog])
        ):
            assert position == 1
            settled[arrived_us // S] = wait_s
        if second == 60:
            assert backlog == 3000.0
    assert [settled[at] for at in (40, 50, 60, 75)] == pytest.approx([20.0, 16.0, 12.0, 6.0])
    assert backlog == 0.0
    assert waits.worst_s == pytest.approx([0.0, 20.0])
    assert waits.worst_us.tolist() == [-1, 40 * S]
