"""Evaluations of horizontal pod autoscalers per second."""

import time

import numpy as np

from planner.engine.queue import EventQueue
from planner.hpa.controller.controller import HpaController
from planner.hpa.metrics.metrics_pipeline import UsageSamples
from planner.hpa.rules.settings import HpaSettings
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.record.recorder import Recorder
from planner.state.cluster import Cluster
from planner.state.resources import ResourceAxis
from planner.state.specs import NodeSpec, PodRunning, PodSpec

_WORKLOADS, _PODS, _SYNCS = 1000, 20, 20
_SYNC_US = 15_000_000


def hpa_1000() -> dict[str, float]:
    """1,000 workloads of 20 pods; the use of every tenth changes from sync to sync."""
    clock = EventQueue()
    cluster = Cluster(clock, ResourceAxis())
    amounts = cluster.axis.amounts({"cpu": 10**9, "memory": 1 << 50, "pods": 10**6})
    cluster.node_specs.append(NodeSpec(0, cluster.add_group("pool", 0, 1), amounts, amounts, {}))
    cluster.register_node(cluster.request_node(0))
    request = cluster.axis.amounts({"cpu": 500})
    for number in range(_WORKLOADS):
        row = cluster.add_workload(f"service-{number}")
        cluster.pod_specs.append(
            PodSpec(row, row, "default", {}, request, request[:2].copy(), running=PodRunning(cpu_request_milli=500))
        )
        first = cluster.create_pods(row, _PODS)
        cluster.set_replicas(row, _PODS)
        for pod in range(first, first + _PODS):
            cluster.bind(pod, 0)
            cluster.mark_running(pod)
    samples, recorder = UsageSamples(), Recorder()
    hpas = [
        HorizontalPodAutoscaler(name=name, scale_target=name, min_replicas=1, max_replicas=100)
        for name in cluster.workload_names
    ]
    controller = HpaController(cluster, samples, hpas, HpaSettings(), recorder.decide)
    rows = np.arange(cluster.pods.count)
    usage = np.full(len(rows), 400, dtype=np.int64)
    clock.advance(600_000_000)
    spent = 0.0
    for sync in range(_SYNCS):
        clock.advance(clock.now_us + _SYNC_US)
        usage[cluster.pods.workload % 10 == sync % 10] = 390 + sync % 20
        samples.record(clock.now_us, _SYNC_US, rows, usage)
        started = time.perf_counter()
        controller.sync(clock.now_us)
        spent += time.perf_counter() - started
    return {"hpa_1000": _WORKLOADS * _SYNCS / spent}


CASES = {"hpa_1000": hpa_1000}
UNITS = {"hpa_1000": "1/s"}
