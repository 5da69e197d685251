"""Steps of pods under quotas are the same with the kernel and without, to the last bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.kernels import switch
from planner.plan.model.demand import Demand
from planner.workloads.load.demand import Demands
from planner.workloads.load.pod_columns import NOT_SEEN, Groups
from planner.workloads.load.step import compiled_steps as compiled_module
from planner.workloads.load.step.compiled_steps import CompiledSteps, compiled_steps
from planner.workloads.load.step.load_step import step_workloads
from planner.workloads.load.step.pod_groups import PodGroups
from planner.workloads.load.step.pod_queue import losses_of

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


DT_US = 5_000_000


class Both:
    """Groups of workloads with a kernel and without, and what their pods hold."""

    def __init__(self, demands, parts):
        """`parts`: CPU limits of the groups of each workload, below 0 where they get no more requests."""
        service = np.repeat(np.arange(len(parts)), [len(limits) for limits in parts])
        limits = np.concatenate(parts).astype(np.int64)
        count, columns = 1 + np.arange(len(limits)) % 3, Demands.of(demands)
        cores = np.minimum(4000, columns.most_milli)[service]
        figures = service, np.abs(limits), cores, limits > 0
        held, done, busy = np.zeros((3, len(limits)))
        kind = np.full(len(limits), NOT_SEEN)
        self.groups = Groups(*figures, np.ones(len(limits)), count, held, done, busy, kind)
        self.plain = PodGroups.of(columns, service, count, *figures[1:])
        self.compiled = CompiledSteps(columns)
        self.compiled.regroup(self.groups)
        self.all = np.arange(len(parts))
        self.whole = np.bincount(service, count * self.plain.capacity_rate, len(parts)) + 0.1

    def step(self, rate, held, dt_us=DT_US):
        """Figures of the workloads and what pods hold and have done: by the kernel, and without it."""
        is_alone = len(self.plain.service) == len(rate) and self.plain.is_one_each
        each = rate / self.plain.pods if is_alone else rate[self.plain.service] * self.plain.shares
        losses = losses_of(self.plain, each, held)
        assert (losses is None) or self.compiled.some_lose
        found = self.after(held, lambda: self.compiled.step(self.all, rate, np.full(len(rate), dt_us), losses))
        if self.compiled.knows_all:
            assert alike(self.after(held, lambda: self.compiled.step_all(rate, dt_us, losses)), found)
        steps, work = step_workloads(self.plain, rate, held, dt_us / 1e6)
        spent = work.served * self.plain.demands.cpu_seconds
        return found, (np.stack(steps), work.in_flight, spent)

    def after(self, held, step):
        """Figures that a step of the kernel returns, and what pods hold and have done after it."""
        self.groups.held[:], self.groups.done[:] = held, 0.0
        return np.stack(step()), self.groups.held.copy(), self.groups.done.copy()


def alike(found, expected):
    """Whether all columns are, to the last bit."""
    return [one.tobytes() for one in found] == [one.tobytes() for one in expected]


@pytest.fixture(scope="module", params=[DEMANDS, LOSSY], ids=["none lost by chance", "some lost by chance"])
def alone(request):
    """Workloads with a group of pods each, one of which gets no more requests."""
    return Both(request.param, [[limit if takes else -limit] for limit, takes in zip(LIMITS, TAKES, strict=True)])


BUSY = st.floats(0.0, 1.6)
HELD = st.one_of(st.just(0.0), st.floats(0.0, 3.0), st.floats(3.0, 3000.0))


@needs_kernels
@settings(max_examples=300)
@given(st.lists(st.tuples(BUSY, HELD), min_size=5, max_size=5), st.sampled_from([100_000, DT_US, 60_000_000]))
def test_a_step_of_pods_under_quotas_is_the_same_to_the_last_bit(alone, pods, dt_us):
    busy, held = (np.array(column) for column in zip(*pods, strict=True))
    assert alike(*alone.step(busy * alone.whole, held, dt_us))


@needs_kernels
@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([[500], [1000], [250], [500]], id="one group each"),
        pytest.param([[250, 500], [300, 700], [500, 250, 300], [400, 600]], id="each a mixture"),
        pytest.param([[500], [250, 500], [250], [400, 600], [500]], id="some alone"),
        pytest.param([[500, -250], [250, 500, -250, -500], [250], [-400], [500]], id="some finish"),
        pytest.param([[250], [-500], [], [400, 600, 400, 200, 300]], id="one without pods"),
        pytest.param([[250, 500], list(range(200, 1000, 100))], id="as many as are summed one by one"),
        pytest.param([[250, 500], list(range(200, 1100, 100))], id="one more"),
        pytest.param([[*range(200, 1000, 100)] * 12, [*range(200, 1100, 100)] * 14], id="very many"),
    ],
)
@pytest.mark.parametrize("kinds", [DEMANDS, LOSSY], ids=["none lost by chance", "some lost by chance"])
def test_figures_of_workloads_are_the_same_over_a_rise_and_fall_of_load(parts, kinds):
    both = Both([kinds[number % 4] for number in range(len(parts))], parts)
    held = np.full(len(both.plain.service), 0.5)
    for busy in np.concatenate((np.linspace(0.1, 1.4, 15), np.linspace(1.4, 0.0, 15))):
        found, expected = both.step(busy * both.whole, held)
        assert alike(found, expected)
        held = expected[1]


@needs_kernels
def test_workloads_are_stepped_as_if_they_were_alone():
    both = Both(DEMANDS[:3], [[500], [1000], [250]])
    rate, held = 0.8 * both.whole, np.array([3.0, 5.0, 7.0])
    one, some = both.step(rate, held)[0], np.array([0, 2])
    both.groups.held[:] = held
    again = np.stack(both.compiled.step(some, rate[some], np.full(2, DT_US), None))
    assert again[:5].tobytes() == one[0][:5, some].tobytes()
    assert both.groups.held.tolist() == [one[1][0], 5.0, one[1][2]]


@needs_kernels
def test_kinds_that_are_gone_are_forgotten(monkeypatch):
    monkeypatch.setattr(compiled_module, "_MANY_KINDS", 0)
    both, held = Both(DEMANDS[:3], [[500], [1000], [250]]), np.array([3.0, 5.0, 7.0])
    before = both.step(0.8 * both.whole, held)[0]
    for milli in range(300, 400, 10):
        both.compiled.regroup(both.groups._replace(capacity=np.full(3, milli)))
        assert len(both.compiled._kinds) <= 12
    both.compiled.regroup(both.groups._replace())
    assert alike(both.step(0.8 * both.whole, held)[0][:1], before[:1])


@needs_kernels
@pytest.mark.parametrize(
    ("limits", "known"),
    [
        pytest.param([4000], False, id="no quota"),
        pytest.param([0], False, id="no CPU"),
        pytest.param(list(range(200, 1500, 10)), False, id="more groups than the kernel sums up"),
        pytest.param([500], True, id="a quota"),
    ],
)
def test_what_the_kernel_does_not_know_is_left_to_its_twin(limits, known):
    both = Both([DEMANDS[0], DEMANDS[0]], [[500], limits])
    assert both.compiled.know(both.all) == known
    assert both.compiled.know(np.array([0]))


def test_there_are_none_without_kernels(monkeypatch):
    monkeypatch.setenv(switch.VARIABLE, switch.OFF)
    assert compiled_steps(Demands.of(DEMANDS)) is None
