"""Skipped and folded evaluations change neither the sizes nor the record."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.engine.queue import EventQueue
from planner.hpa.controller.controller import HpaController
from planner.hpa.metrics.metric_reader import MetricReader
from planner.hpa.metrics.metrics_pipeline import UsageSamples
from planner.hpa.rules.settings import HpaSettings
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.record.recorder import Recorder
from planner.state.cluster import Cluster
from planner.state.resources import ResourceAxis
from planner.state.specs import NodeSpec, PodRunning, PodSpec
from planner.units import US_PER_S

BEHAVIORS = (
    None,
    {},
    {"scaleUp": {"stabilizationWindow": "60s"}, "scaleDown": {"stabilizationWindow": "45s"}},
    {"scaleDown": {"policies": [{"type": "Pods", "value": 1, "period": "60s"}], "stabilizationWindow": "0s"}},
)

UTILIZATION = {"averageUtilization": 50}
VALUE = {"targetType": "AverageValue", "averageValue": "250m"}


class Run:
    """A workload whose pods run at once, evaluated every 15 s."""

    def __init__(self, behavior, skip, target=None):
        self.clock = EventQueue()
        self.cluster = Cluster(self.clock, ResourceAxis())
        amounts = self.cluster.axis.amounts({"cpu": 10**9, "memory": 1 << 50, "pods": 10**6})
        self.cluster.node_specs.append(NodeSpec(0, self.cluster.add_group("pool", 0, 1), amounts, amounts, {}))
        self.cluster.register_node(self.cluster.request_node(0))
        request = self.cluster.axis.amounts({"cpu": 500})
        row = self.cluster.add_workload("web")
        self.cluster.pod_specs.append(
            PodSpec(row, row, "default", {}, request, request[:2], running=PodRunning(cpu_request_milli=500))
        )
        self.cluster.set_replicas(0, 3)
        self.samples, self.recorder = UsageSamples(), Recorder()
        hpa = HorizontalPodAutoscaler.model_validate(
            {"name": "web", "scaleTarget": "web", "maxReplicas": 8, "metrics": [target or UTILIZATION]}
            | ({} if behavior is None else {"behavior": behavior})
        )
        rules = HpaSettings(cpu_initialization_us=30 * US_PER_S, downscale_stabilization_us=60 * US_PER_S)
        self.controller = HpaController(
            self.cluster, self.samples, [hpa], rules, self.recorder.decide, None, self.recorder.repeat, skip
        )

    def follow(self):
        """Pods follow the wanted number."""
        members = list(self.cluster.workload_pods[0])
        wanted = int(self.cluster.workloads.desired[0])
        for pod in members[wanted:]:
            self.cluster.remove_pod(pod)
        if wanted > len(members):
            first = self.cluster.create_pods(0, wanted - len(members))
            for pod in range(first, self.cluster.pods.count):
                self.cluster.bind(pod, 0)
                self.cluster.mark_running(pod)

    def sync(self, load_milli, outage=False, flips=False):
        self.clock.advance(self.clock.now_us + 15 * US_PER_S)
        self.follow()
        if flips:
            first = next(iter(self.cluster.workload_pods[0]))
            self.cluster.set_pod_ready(first, not self.cluster.pods.ready[first])
        rows = np.array(list(self.cluster.workload_pods[0]), np.int64)
        self.samples.set_answering(not outage)
        if not outage:
            usage = np.full(len(rows), load_milli // max(1, len(rows)))
            self.samples.record(self.clock.now_us, 15 * US_PER_S, rows, usage)
        self.controller.sync(self.clock.now_us)
        return self.controller.latest[0]


loads = st.lists(
    st.tuples(
        st.sampled_from([300, 740, 750, 760, 1_500, 2_400]), st.integers(1, 12), st.sampled_from([False] * 9 + [True])
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=60, deadline=None)
@given(stages=loads, behavior=st.sampled_from(BEHAVIORS))
def test_leaving_out_evaluations_changes_neither_sizes_nor_the_record(stages, behavior):
    runs = [Run(behavior, skip) for skip in (False, True)]
    sizes = [[run.sync(load, outage) for load, times, outage in stages for _ in range(times)] for run in runs]
    for run in runs:
        run.controller.finish()
    assert sizes[0] == sizes[1]
    assert runs[0].recorder.decisions == runs[1].recorder.decisions


wandering = st.lists(
    st.tuples(st.integers(500, 1_000), st.booleans(), st.integers(0, 11).map(lambda at: at == 0)),
    min_size=5,
    max_size=60,
)


@settings(max_examples=60, deadline=None)
@given(steps=wandering, behavior=st.sampled_from(BEHAVIORS), target=st.sampled_from([UTILIZATION, VALUE]))
def test_folding_evaluations_of_a_wandering_load_shows_the_same(steps, behavior, target):
    shown = []
    for skip in (False, True):
        run, seen = Run(behavior, skip, target), []
        for load, stays, flips in steps:
            for _ in range(3 if stays else 1):
                sync = run.sync(load, flips=flips)
                seen.append((sync, np.nan_to_num(run.controller.metric_values(), nan=-1.0).tolist()))
        run.controller.finish()
        shown.append((seen, run.recorder.decisions))
    assert shown[0] == shown[1]


def test_most_evaluations_of_a_calm_load_are_folded(monkeypatch):
    run, whole = Run(None, True), []
    plain = HpaController._evaluate
    monkeypatch.setattr(HpaController, "_evaluate", lambda self, *now: whole.append(now) or plain(self, *now))
    for at in range(40):
        run.sync(740 + at % 7)
    assert len(whole) <= 6


def test_autoscalers_at_rest_are_read_together(monkeypatch):
    run, alone = Run(None, True), []
    plain = MetricReader.propose
    monkeypatch.setattr(
        MetricReader, "propose", lambda self, *now, **more: alone.append(now) or plain(self, *now, **more)
    )
    for at in range(40):
        run.sync(740 + at % 7)
    assert len(alone) <= 8


@pytest.mark.parametrize(
    ("loads", "times", "most"),
    [
        pytest.param((4_800,), 40, 8, id="at the maximum"),
        pytest.param((2_400, 100), 200, 24, id="held by the window, a doubling of the size at a time before it"),
    ],
)
def test_an_autoscaler_that_is_kept_against_its_metric_is_read_only_while_that_may_change(
    monkeypatch, loads, times, most
):
    run, read = Run(None, True), []
    plain = MetricReader.propose
    monkeypatch.setattr(
        MetricReader, "propose", lambda self, *now, **more: read.append(now) or plain(self, *now, **more)
    )
    sizes = [run.sync(load).after for load in loads for _ in range(times)]
    assert len(read) <= most
    same = Run(None, False)
    assert sizes == [same.sync(load).after for load in loads for _ in range(times)]


def test_an_autoscaler_at_rest_is_not_computed():
    run = Run(None, True)
    for _ in range(4):
        run.sync(750)
    run.controller.finish()
    decided = len(run.recorder.decisions)
    repeats = run.recorder.decisions[-1].repeats
    for _ in range(10):
        run.sync(750)
    assert (len(run.recorder.decisions), run.recorder.decisions[-1].repeats) == (decided, repeats)
    run.controller.finish()
    assert run.recorder.decisions[-1].repeats == repeats + 10


@pytest.mark.parametrize("behavior", BEHAVIORS)
def test_constant_load_for_a_whole_window_never_moves_the_size(behavior):
    run = Run(behavior, True)
    sizes = [run.sync(700).after for _ in range(60)]
    assert len(set(sizes[30:])) == 1


@settings(max_examples=40, deadline=None)
@given(stages=loads, behavior=st.sampled_from(BEHAVIORS))
def test_the_size_stays_between_minimum_and_maximum(stages, behavior):
    run = Run(behavior, True)
    for load, times, outage in stages:
        for _ in range(times):
            assert 1 <= run.sync(load, outage).after <= 8
