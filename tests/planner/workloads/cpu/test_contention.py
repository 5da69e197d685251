import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.workloads.cpu.contention import burst_capacity, cpu_weights, share_cpu_by_node


@pytest.mark.parametrize(
    ("demand", "weight", "capacity", "granted"),
    [
        pytest.param([100, 200], [1, 1], 1000, [100, 200], id="room for all"),
        pytest.param([1000, 1000], [1, 1], 1000, [500, 500], id="equal weights halve"),
        pytest.param([1000, 1000], [3, 1], 1000, [750, 250], id="weights count"),
        pytest.param([100, 1000, 1000], [1, 1, 1], 1000, [100, 450, 450], id="what one leaves the others share"),
        pytest.param([0, 2000], [1, 1], 1000, [0, 1000], id="no demand gets nothing"),
        pytest.param([100, 100], [1, 1], 0, [0, 0], id="no CPU"),
    ],
)
def test_weighted_max_min_shares(demand, weight, capacity, granted):
    node = np.zeros(len(demand), np.int64)
    found = share_cpu_by_node(np.array(demand), np.array(weight, float), node, np.array([capacity]))
    assert found.tolist() == granted


def test_a_request_of_nothing_has_two_shares():
    assert cpu_weights(np.array([0, 1, 500, 2000])).tolist() == [2, 2, 512, 2048]


def test_calm_nodes_are_left_alone():
    demand, weight = np.array([300, 800, 800]), np.ones(3)
    granted = share_cpu_by_node(demand, weight, np.array([0, 1, 1]), np.array([1000, 1000]))
    assert granted.tolist() == [300, 500, 500]
    assert demand.tolist() == [300, 800, 800]


PODS = st.lists(st.tuples(st.integers(0, 3000), st.integers(2, 4096), st.integers(0, 3)), min_size=1, max_size=30)


@given(PODS, st.lists(st.integers(0, 8000), min_size=4, max_size=4))
def test_sharing_is_fair_and_conserves_cpu(pods, capacity):
    demand, weight, node = (np.array(column) for column in zip(*pods, strict=True))
    granted = share_cpu_by_node(demand, weight.astype(float), node, np.array(capacity))
    assert (granted <= demand).all() and (granted >= 0).all()
    for n, cores in enumerate(capacity):
        here = node == n
        expected = min(cores, int(demand[here].sum()))
        assert expected - here.sum() <= granted[here].sum() <= expected
        level = granted[here] / weight[here]
        short = granted[here] < demand[here]
        if short.any():  # a pod that is short gets at least the level of all others, except for rounding down
            assert (level <= (level + 1 / weight[here])[short].min() + 1e-9).all()


@given(PODS, st.lists(st.integers(0, 8000), min_size=4, max_size=4))
def test_all_nodes_at_once_equal_one_by_one(pods, capacity):
    demand, weight, node = (np.array(column) for column in zip(*pods, strict=True))
    together = share_cpu_by_node(demand, weight.astype(float), node, np.array(capacity))
    for n, cores in enumerate(capacity):
        here = node == n
        alone = np.zeros(here.sum(), np.int64), np.array([cores])
        assert together[here].tolist() == share_cpu_by_node(demand[here], weight[here].astype(float), *alone).tolist()


def reach_of(demand, weight, limit, node, capacity):
    columns = [np.array(demand), np.array(weight, float), np.array(limit), np.array(node), np.array(capacity)]
    demand, weight, limit, node, capacity = columns
    granted = share_cpu_by_node(demand, weight, node, capacity)
    return granted, burst_capacity(demand, granted, weight, limit, node, capacity)


def test_pods_can_burst_into_what_the_node_has_left():
    _, reach = reach_of([300, 300, 900], [1, 1, 1], [1000, 500, 0], [0, 0, 1], [1000, 1000])
    assert reach.tolist() == [700, 500, 1000]


@pytest.mark.parametrize(
    ("demand", "weight", "capacity", "reach"),
    [
        pytest.param([200, 9000], [1, 1], 4000, [2000, 3800], id="half a node next to a hog of equal weight"),
        pytest.param([200, 9000], [1024, 2], 4000, [3992, 3800], id="nearly all next to a hog without request"),
        pytest.param([200, 200, 9000], [1, 1, 1], 3000, [1400, 1400, 2600], id="what satisfied pods use stays theirs"),
        pytest.param([200, 3000], [1, 1], 4000, [2000, 3800], id="a hog that leaves something"),
        pytest.param([9000, 9000], [1, 3], 4000, [1000, 3000], id="hogs have their share"),
        pytest.param([100, 100], [1, 1], 0, [0, 0], id="no CPU"),
    ],
)
def test_a_pod_can_win_back_what_others_use_beyond_their_share(demand, weight, capacity, reach):
    assert reach_of(demand, weight, [0] * len(demand), [0] * len(demand), [capacity])[1].tolist() == reach


@given(PODS, st.lists(st.integers(0, 8000), min_size=4, max_size=4))
def test_reach_is_what_a_pod_gets_that_asks_for_everything(pods, capacity):
    demand, weight, node = (np.array(column) for column in zip(*pods, strict=True))
    granted, reach = reach_of(demand, weight, np.zeros(len(demand)), node, capacity)
    assert (reach >= granted).all()
    for pod in range(len(demand)):
        greedy = demand.copy()
        greedy[pod] = 1 << 40
        alone = share_cpu_by_node(greedy, weight.astype(float), node, np.array(capacity))[pod]
        assert abs(int(reach[pod]) - int(alone)) <= len(demand) + 1, "but for rounding of the others' shares"
