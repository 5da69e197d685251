"""Requests that come again, and how long those in a backlog really wait."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.plan.serving import Retries
from planner.units import US_PER_S
from planner.workloads.backlog_waits import BacklogWaits
from planner.workloads.latency.throttling import Quota
from planner.workloads.retries import RetryQueue

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
    waits, backlog, settled = BacklogWaits(), 0.0, {}
    for second in range(1, 121):
        served = min(backlog + 150.0, 100.0 if second <= 60 else 250.0)
        backlog += 150.0 - served
        for arrived_us, wait_s in waits.add(second * S, S, served, backlog):
            settled[arrived_us // S] = wait_s
        if second == 60:
            assert backlog == 3000.0
    assert [settled[at] for at in (40, 50, 60, 75)] == pytest.approx([20.0, 16.0, 12.0, 6.0])
    assert backlog == 0.0
    assert waits.worst_s == pytest.approx(20.0)
    assert waits.worst_us == 40 * S


def test_throttling_shows_long_before_the_limit_is_reached():
    quota = Quota(1.0, 4)

    def mean_delay(rate):
        return sum(share * delay_s for share, delay_s in quota.delays(rate, 0.02, 1.0))

    delays = [mean_delay(rate) for rate in (1.0, 15.0, 30.0, 45.0)]
    shares = [quota.throttled_share(rate, 0.02, 1.0) for rate in (1.0, 15.0, 30.0, 45.0)]
    assert delays == sorted(delays) and delays[0] < 1e-3 < delays[2]
    assert shares == sorted(shares) and shares[0] < 0.01 and 0.05 < shares[2] < shares[3] < 0.75
    assert max(delay_s for _, delay_s in quota.delays(15.0, 0.02, 1.0)) >= 0.075, "at 30 % of the limit"
