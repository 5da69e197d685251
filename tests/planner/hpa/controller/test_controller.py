"""The controller against a small cluster."""

from types import SimpleNamespace

import numpy as np
import pytest

from planner.hpa.controller.controller import HpaController
from planner.hpa.metrics.metrics_pipeline import UsageSamples
from planner.hpa.rules.settings import HpaSettings
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.record.decisions import Verdict
from planner.state.cluster import Cluster
from planner.state.resources import ResourceAxis
from planner.state.specs import ContainerSpec, NodeSpec, PodSpec
from planner.units import US_PER_S
from tests.pod_specs import spec_fields


class Stage:
    """A cluster of one big node and one workload of two running pods with a request of 500m."""

    def __init__(self, **changes):
        self.clock = SimpleNamespace(now_us=0)
        axis = ResourceAxis()
        self.cluster = Cluster(self.clock, axis)
        amounts = np.zeros(len(axis), dtype=np.int64)
        group = self.cluster.add_group("pool", 0, 1)
        self.cluster.node_specs.append(NodeSpec(0, group, amounts, amounts, {}))
        node = self.cluster.request_node(0)
        self.cluster.register_node(node)
        workload = self.cluster.add_workload("web")
        values = {"cpu_request_milli": 500} | changes
        self.cluster.pod_specs.append(
            PodSpec(0, workload, "default", {}, amounts, np.zeros(2, dtype=np.int64), **spec_fields(**values))
        )
        self.cluster.set_replicas(workload, 2)
        for pod in range(self.cluster.create_pods(0, 2), 2):
            self.cluster.bind(pod, node)
            self.cluster.mark_running(pod)
        self.samples = UsageSamples()
        self.decisions = []
        hpa = HorizontalPodAutoscaler.model_validate(
            {"name": "web", "scaleTarget": "web", "maxReplicas": 10, "metrics": [{"averageUtilization": 50}]}
        )
        self.controller = HpaController(self.cluster, self.samples, [hpa], HpaSettings(), self.decisions.append)

    def sync(self, seconds, *usage):
        self.clock.now_us = seconds * US_PER_S
        if usage:
            rows = np.arange(len(usage))
            self.samples.record(self.clock.now_us, 15 * US_PER_S, rows, np.array(usage))
        self.controller.sync(self.clock.now_us)
        return self.controller.latest[0]


def test_load_above_the_target_grows_the_workload_and_says_why():
    stage = Stage()
    assert stage.sync(600, 500, 500).after == 4
    assert stage.cluster.workloads.desired[0] == 4
    decision = stage.decisions[-1]
    assert (decision.verdict, decision.subject) == (Verdict.SCALED, "web")
    assert decision.details.calculation.utilization_pct == 100 and decision.details.calculation.ratio == 2.0
    assert decision.details.reason == "cpu resource utilization (percentage of request) above target"


def test_without_any_sample_the_size_is_kept():
    stage = Stage()
    sync = stage.sync(15)
    assert (sync.before, sync.after, sync.observed) == (2, 2, None)
    assert stage.decisions[-1].verdict is Verdict.NO_METRICS


def test_missing_requests_stop_utilization():
    stage = Stage(has_cpu_requests=False)
    stage.sync(600, 500, 500)
    assert stage.decisions[-1].details.reason == "MissingRequest"


def test_idle_pods_are_kept_for_the_window_and_then_removed():
    stage = Stage()
    afters = [stage.sync(600 + 15 * step, 10, 10).after for step in range(22)]
    assert afters == [2] * 21 + [1]
    assert stage.decisions[0].details.held == "ScaleDownStabilized"


def test_a_restart_forgets_the_recommendations():
    stage = Stage()
    stage.sync(600, 250, 250)
    stage.controller.restart()
    assert [stage.sync(615 + 15 * step, 10, 10).after for step in range(22)] == [2] * 21 + [1]


def test_new_pods_without_sample_are_seen_and_counted_as_unready():
    stage = Stage()
    stage.sync(600, 500, 500)
    stage.cluster.create_pods(0, 2)
    sync = stage.sync(615, 500, 500)
    assert (sync.before, sync.after, sync.observed) == (4, 4, 100)


def test_two_autoscalers_of_one_workload_both_stop():
    stage = Stage()
    hpas = [HorizontalPodAutoscaler(name=name, scale_target="web", max_replicas=10) for name in ("one", "two")]
    controller = HpaController(stage.cluster, stage.samples, hpas, HpaSettings(), stage.decisions.append)
    stage.samples.record(0, 15 * US_PER_S, np.arange(2), np.array([500, 500]))
    controller.sync(600 * US_PER_S)
    assert [sync.after for sync in controller.latest] == [2, 2]
    assert [decision.details.reason for decision in stage.decisions] == ["AmbiguousSelector"] * 2


def test_a_container_that_the_pods_do_not_have_fails_only_once_there_are_samples():
    stage = Stage(containers=(ContainerSpec("app", cpu_request_milli=500),))
    metric = {"type": "ContainerResource", "container": "other", "averageUtilization": 50}
    hpa = HorizontalPodAutoscaler.model_validate(
        {"name": "web", "scaleTarget": "web", "maxReplicas": 10, "metrics": [metric]}
    )
    controller = HpaController(stage.cluster, stage.samples, [hpa], HpaSettings(), stage.decisions.append)
    controller.sync(15 * US_PER_S)
    stage.samples.record(0, 15 * US_PER_S, np.arange(2), np.array([500, 500]))
    controller.sync(600 * US_PER_S)
    assert [decision.details.reason for decision in stage.decisions] == [
        "NoMetricsReturned",
        "ContainerNotInMetrics",
    ]


@pytest.mark.parametrize("target", ["nothing"])
def test_an_unknown_workload_is_a_fault_of_the_caller(target):
    stage = Stage()
    hpa = HorizontalPodAutoscaler(name="x", scale_target=target, max_replicas=1)
    with pytest.raises(ValueError):
        HpaController(stage.cluster, stage.samples, [hpa], HpaSettings(), stage.decisions.append)


def test_start_and_ready_times_count_in_whole_seconds_as_the_api_keeps_them():
    stage = Stage()
    stage.cluster.pods.w.bound_us[:] = 5_000_500
    stage.cluster.pods.w.ready_change_us[:] = 6_000_500
    gathered = stage.controller._autoscalers[0].reader.gathered()
    assert gathered.start_us.tolist() == [5 * US_PER_S] * 2
    assert gathered.ready_transition_us.tolist() == [6 * US_PER_S] * 2
