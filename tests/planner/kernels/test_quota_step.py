"""Steps of pods under quotas are the same with the kernel and without, to the last bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.kernels import switch
from planner.plan.model.demand import Demand
from planner.workloads.load.demand import Demands
from planner.workloads.load.step.load_step import step_workloads
from planner.workloads.load.step.pod_groups import PodGroups
from planner.workloads.load.step.pod_queue import step_pods

needs_kernels = pytest.mark.skipif(bool(switch.why_missing()), reason=f"kernels are {switch.why_missing()}")
PLAIN = {"cpu_seconds_per_request": 0.02}
DEMANDS = [
    Demand(**PLAIN),
    Demand(cpu_seconds_per_request=0.05, cv=2.0, discipline="queue", workers=2),
    Demand(cpu_seconds_per_request=0.01, latency_floor="30ms", latency_floor_cv=0.4, idle_cpu="50m"),
    Demand(**PLAIN, queue_limit=0, latency_floor="10ms"),
    Demand(**PLAIN),
]
LIMITS = [500, 1000, 250, 500, 500]
TAKES = [True, True, True, True, False]
LOSSY = [
    Demand(**PLAIN, queue_limit=20),
    Demand(cpu_seconds_per_request=0.05, cv=2.0, discipline="queue", workers=2, timeout="2s"),
    Demand(cpu_seconds_per_request=0.01, latency_floor="30ms", latency_floor_cv=0.4, queue_limit=8, timeout="500ms"),
    Demand(**PLAIN, queue_limit=0, latency_floor="10ms"),
    Demand(**PLAIN, queue_limit=50, timeout="300ms"),
]


def groups_of(demands, limits, takes):
    """One group of 3 pods a demand, under these quotas, on nodes of 4 cores."""
    count = len(demands)
    columns = Demands.of(demands), np.arange(count), np.full(count, 3), np.array(limits)
    cores = np.minimum(4000, columns[0].most_milli)
    return PodGroups.of(*columns, cores, np.array(takes))


@pytest.fixture(scope="module", params=[DEMANDS, LOSSY], ids=["none lost by chance", "some lost by chance"])
def both(request):
    """The same groups, with a kernel and without."""
    patch = pytest.MonkeyPatch()
    found = []
    for state in ("on", switch.OFF):
        patch.setenv(switch.VARIABLE, state)
        found.append(groups_of(request.param, LIMITS, TAKES))
        assert (found[-1].compiled is None) == (state == switch.OFF)
    patch.undo()
    return found


BUSY = st.floats(0.0, 1.6)
HELD = st.one_of(st.just(0.0), st.floats(0.0, 3.0), st.floats(3.0, 3000.0))


@needs_kernels
@settings(max_examples=300)
@given(st.lists(st.tuples(BUSY, HELD), min_size=5, max_size=5), st.sampled_from([0.1, 1.0, 5.0, 60.0]))
def test_a_step_of_pods_under_quotas_is_the_same_to_the_last_bit(both, pods, dt_s):
    busy, held = (np.array(column) for column in zip(*pods, strict=True))
    compiled, plain = (step_pods(groups, busy * groups.capacity_rate, held, dt_s) for groups in both)
    for one, other in zip((*compiled.fluid, compiled.timed_out), (*plain.fluid, plain.timed_out), strict=True):
        assert one.tobytes() == other.tobytes()
    assert compiled.throttled.tobytes() == plain.throttled.tobytes()
    for name in ("mean_s", "variance_s2", "levels_s", "tabled"):
        assert getattr(compiled.responses, name).tobytes() == getattr(plain.responses, name).tobytes(), name


@needs_kernels
@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param([0, 1, 2, 3, 4], id="one workload only finishes"),
        pytest.param([0, 1, 2, 3], id="one group each"),
        pytest.param([0, 1, 3], id="one group each, no floor varies"),
    ],
)
@pytest.mark.parametrize("demands", [DEMANDS, LOSSY], ids=["none lost by chance", "some lost by chance"])
def test_figures_of_workloads_are_the_same_over_a_rise_and_fall_of_load(monkeypatch, chosen, demands):
    peaks = np.concatenate((np.linspace(0.1, 1.4, 30), np.linspace(1.4, 0.0, 30)))
    seen = []
    for state in ("on", switch.OFF):
        monkeypatch.setenv(switch.VARIABLE, state)
        groups = groups_of(*([column[at] for at in chosen] for column in (demands, LIMITS, TAKES)))
        held, rows = np.zeros(len(chosen)), []
        for busy in peaks:
            rate = busy * groups.capacity_rate * groups.pods
            steps, work = step_workloads(groups, rate, held, np.full(len(chosen), 5.0))
            held = work.in_flight
            rows.append(np.concatenate((*steps, *work)).tobytes())
        seen.append(rows)
    assert seen[0] == seen[1]


def groups_of_several(parts, kinds):
    """Groups of workloads: `parts` has the CPU limits of those of each, below 0 where they get no more requests."""
    demands = [kinds[number % 4] for number in range(len(parts))]
    service = np.repeat(np.arange(len(parts)), [len(limits) for limits in parts])
    limits = np.concatenate(parts).astype(np.int64)
    count = 1 + np.arange(len(limits)) % 3
    columns = Demands.of(demands)
    cores = np.minimum(4000, columns.most_milli)[service]
    return PodGroups.of(columns, service, count, np.abs(limits), cores, limits > 0)


@needs_kernels
@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([[250, 500], [300, 700], [500, 250, 300], [400, 600]], id="each a mixture"),
        pytest.param([[500], [250, 500], [250], [400, 600], [500]], id="some alone"),
        pytest.param([[500, -250], [250, 500, -250, -500], [250], [-400], [500]], id="some finish"),
        pytest.param([[250], [-500], [], [400, 600, 400, 200, 300]], id="one without pods"),
        pytest.param([[250, 500], list(range(200, 1000, 100))], id="as many as are summed one by one"),
        pytest.param([[250, 500], list(range(200, 1100, 100))], id="more than the kernel takes"),
    ],
)
@pytest.mark.parametrize("demands", [DEMANDS, LOSSY], ids=["none lost by chance", "some lost by chance"])
def test_figures_of_workloads_with_several_groups_are_the_same(monkeypatch, parts, demands):
    peaks = np.concatenate((np.linspace(0.1, 1.4, 15), np.linspace(1.4, 0.0, 15)))
    seen = []
    for state in ("on", switch.OFF):
        monkeypatch.setenv(switch.VARIABLE, state)
        groups = groups_of_several(parts, demands)
        assert (groups.compiled is None) == (state == switch.OFF)
        held, rows = np.full(len(groups.service), 0.5), []
        whole = np.bincount(groups.service, groups.count * groups.capacity_rate, len(parts)) + 0.1
        for busy in peaks:
            steps, work = step_workloads(groups, busy * whole, held, 5.0)
            held = work.in_flight
            rows.append(np.concatenate((*steps, *work)).tobytes())
        seen.append(rows)
    assert seen[0] == seen[1]


@pytest.mark.parametrize(
    ("demand", "limit"),
    [
        pytest.param(Demand(**PLAIN), 4000, id="no quota"),
        pytest.param(Demand(**PLAIN), 0, id="no CPU"),
    ],
)
def test_what_the_kernel_does_not_know_is_left_to_its_twin(demand, limit):
    assert groups_of([DEMANDS[0], demand], [500, limit], [True, True]).compiled is None
