"""Few pods are looked at in plain numbers, many in columns: both must find the same."""

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from planner.workloads.latency import mmc
from planner.workloads.latency.busy_share import busy_share
from planner.workloads.latency.share_of_one import share_of_one, waiting_of_one
from tests.planner.workloads.latency.queues import laws_alike

_MANY = 200


@example(servers=2, held=0.0, capacity=0.0, near=0.5)
@given(
    servers=st.integers(2, 64),
    held=st.floats(0.0, 1e6),
    capacity=st.floats(0.0, 1e5),
    near=st.floats(0.0, 0.98),
)
def test_one_pod_is_as_busy_as_each_of_many_like_it(servers: int, held: float, capacity: float, near: float) -> None:
    laws = laws_alike(np.full(_MANY, servers))
    many = busy_share(laws, np.full(_MANY, held), np.full(_MANY, capacity), np.full(_MANY, near))
    np.testing.assert_allclose(share_of_one(servers, held, capacity, near), many, rtol=1e-12)
    for scalar_twins in (True, False):
        few = laws_alike(np.full(2, servers), scalar_twins=scalar_twins)
        found = busy_share(few, np.full(2, held), capacity, np.full(2, near))
        np.testing.assert_allclose(found, many[:2], rtol=1e-12)


@given(servers=st.integers(1, 64), rho=st.floats(0.0, 1.0, exclude_max=True))
def test_a_request_waits_at_one_pod_as_at_each_of_many_like_it(servers: int, rho: float) -> None:
    many = mmc.Servers(np.full(_MANY, servers)).erlang_c(np.full(_MANY, rho))
    np.testing.assert_allclose(waiting_of_one(servers, rho), many, rtol=1e-12)


def test_a_pod_with_more_than_it_can_serve_is_full_and_an_empty_one_idle() -> None:
    assert share_of_one(4, 1e20, 1e3, 0.0) == 1.0 - 1e-14
    assert share_of_one(4, 0.0, 1e3, 0.5) < 1e-99
