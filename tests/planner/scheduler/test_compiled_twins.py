"""With kernels the scheduler decides what it decides without: the same nodes, points, ties and runners-up."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.engine.draws import Draws
from planner.kernels import switch
from planner.plan.model.pods.placement import PodAffinityTerm, TopologySpreadConstraint
from planner.record.recorder import Recorder
from planner.scheduler.cycle.cycle import SchedulingCycle
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.scheduler import Scheduler
from planner.state.pods import EndReason
from tests.planner.scheduler.builders import a_pod, change_something
from tests.planner.scheduler.test_placement_properties import KEYS, SELECTORS, random_world, steps, templates

pytestmark = pytest.mark.skipif(bool(switch.why_missing()), reason=f"kernels are {switch.why_missing()}")
profiles = st.sampled_from(
    [SchedulerProfile(), SchedulerProfile(percentage_of_nodes_to_score=1), SchedulerProfile(system_defaults=False)]
)

own = st.sampled_from(SELECTORS[:4])
hard_spread = st.tuples(st.integers(1, 2), st.sampled_from(KEYS), own, st.integers(1, 3)).map(
    lambda parts: TopologySpreadConstraint(
        max_skew=parts[0], topology_key=parts[1], label_selector=parts[2], min_domains=parts[3]
    )
)
apart = st.tuples(st.sampled_from(KEYS), own).map(
    lambda parts: PodAffinityTerm(topology_key=parts[0], label_selector=parts[1])
)
limited = st.fixed_dictionaries(
    {
        "spread_constraints": st.lists(hard_spread, max_size=1).map(tuple),
        "required_anti_affinity": st.lists(apart, max_size=1).map(tuple),
    }
)


@pytest.fixture
def kernels(monkeypatch):
    """Switches the kernels on or off for what is made from then on."""
    return lambda on: monkeypatch.setenv(switch.VARIABLE, "on" if on else switch.OFF)


@pytest.fixture(scope="module")
def cycles():
    def make(cluster, profile):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(switch.VARIABLE, "on")
            compiled = SchedulingCycle(cluster, profile)
            patch.setenv(switch.VARIABLE, switch.OFF)
            return compiled, SchedulingCycle(cluster, profile)

    return make


@settings(max_examples=80, deadline=None)
@given(made=st.lists(templates, min_size=4, max_size=4), script=steps, profile=profiles)
def test_a_compiled_cycle_finds_what_its_twin_finds(cycles, made, script, profile):
    cluster, groups, specs = random_world(made)
    compiled, plain = cycles(cluster, profile)
    assert compiled._compiled is not None and plain._compiled is None
    both_find_the_same(cluster, groups, specs, (compiled, plain), script)


@settings(max_examples=60, deadline=None)
@given(made=st.lists(limited, min_size=4, max_size=4), script=steps)
def test_limits_of_domains_are_those_of_the_filters(cycles, made, script):
    cluster, groups, specs = random_world(made)
    compiled, plain = cycles(cluster, SchedulerProfile())
    both_find_the_same(cluster, groups, specs, (compiled, plain), script)
    (spread,) = specs[0].placement.spread_constraints or (None,)
    known = compiled._compiled._known.get(0)
    if known is not None and spread is not None and spread.label_selector is not None:
        assert known.limits


def both_find_the_same(cluster, groups, specs, both, script):
    compiled, plain = both
    for action, pick in script:
        change_something(cluster, groups, action, pick)
        pod = a_pod(cluster, specs[pick % len(specs)])
        mine, other = compiled.decide(pod), plain.decide(pod)
        assert compiled.search.start == plain.search.start
        assert mine.rows.tolist() == other.rows.tolist()
        assert (mine.totals is None) == (other.totals is None)
        if mine.totals is not None:
            assert mine.totals.tolist() == other.totals.tolist()
        facts = [
            (o.node, o.feasible, o.plugins, o.points, o.same_for_all, o.tied, tuple(o.others)) for o in (mine, other)
        ]
        assert facts[0] == facts[1]
        if mine.node >= 0:
            cluster.bind(pod, mine.node)
        elif pick % 3 == 0 and cluster.nodes.exists.any():
            cluster.nominate(pod, int(cluster.nodes.exists.argmax()))


@pytest.mark.parametrize("draws", [None, Draws(7)], ids=["ties by name", "ties by draw"])
def test_a_whole_scheduler_records_the_same_decisions(kernels, draws):
    records = []
    for on in (True, False):
        kernels(on)
        cluster, groups, specs = random_world([{"cpu": 300, "memory": 1 << 29, "priority": i % 2} for i in range(4)])
        recorder = Recorder()

        def remove(victims, preemptor, node, cluster=cluster):
            for victim in victims:
                cluster.remove_pod(victim, EndReason.PREEMPTED)

        scheduler = Scheduler(cluster, recorder, on_preempt=remove, draws=draws)
        for at in range(120):
            change_something(cluster, groups, at % 7, 31 * at)
            a_pod(cluster, specs[at % len(specs)])
            for _ in range(20):
                if not scheduler.schedule():
                    break
        records.append(recorder.decisions)
    assert records[0] == records[1] and len(records[0]) > 100
