import numpy as np
import pytest

from planner.workloads.load.closed_clients import closed_rates


def _found(clients, outside_s, most, start, held_after):
    """The rates, and for how many tries requests at pods were looked at."""
    tries = []

    def looked_at(rate):
        tries.append(rate)
        return held_after(rate)

    given = np.array([clients, outside_s, most, start], float)
    return closed_rates(given[0], given[1], given[2], given[3], looked_at), len(tries)


def _full_beyond(capacity):
    """Requests at a pod that serves up to `capacity`: few below it, a bend, and a small step at the bend."""
    return lambda rate: np.where(rate > capacity, 2.5 + 10.0 * (rate - capacity), 0.02 * rate)


@pytest.mark.parametrize(
    ("clients", "outside_s", "most", "held_after", "rate"),
    [
        (100.0, 1.0, 1e9, lambda rate: 0.0 * rate, 100.0),
        (100.0, 1.0, 1e9, lambda rate: 1.0 * rate, 50.0),
        (100.0, 0.0, 40.0, lambda rate: 0.1 * rate, 40.0),
        (100.0, 1.0, 1e9, lambda rate: rate**2, (401.0**0.5 - 1.0) / 2.0),
        (100.0, 1.0, 1e9, _full_beyond(60.0), 697.5 / 11.0),
        (61.5, 1.0, 1e9, _full_beyond(60.0), 60.0),
        (5.0, 1.0, 1e9, lambda rate: 9.0 + rate, 0.0),
        (0.0, 1.0, 1e9, lambda rate: 0.0 * rate, 0.0),
    ],
)
@pytest.mark.parametrize("start", [0.0, 1.0, 59.0, 1e6])
def test_thinking_and_held_requests_together_are_the_clients(clients, outside_s, most, held_after, rate, start):
    (found,), tries = _found([clients], [outside_s], [most], [start], held_after)
    assert found == pytest.approx(rate, rel=1e-7)
    assert tries < 60


def test_a_load_that_stays_is_not_sought_again():
    at_rest, _ = _found([100.0, 30.0], [1.0, 0.5], [1e9, 1e9], [0.0, 0.0], np.square)
    again, tries = _found([100.0, 30.0], [1.0, 0.5], [1e9, 1e9], at_rest, np.square)
    assert (again == at_rest).all()
    assert tries == 1


def test_the_rate_of_one_workload_does_not_depend_on_the_others():
    together, _ = _found([100.0, 61.5], [1.0, 1.0], [1e9, 1e9], [3.0, 1.0], _full_beyond(60.0))
    alone, _ = _found([100.0], [1.0], [1e9], [3.0], _full_beyond(60.0))
    assert together[0] == alone[0]
