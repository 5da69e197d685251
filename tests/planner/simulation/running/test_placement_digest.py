"""A run with every placement feature is the same whatever the hash seed of the process, and from run to run."""

import os
import subprocess
import sys
from pathlib import Path

from planner.plan.checks.validate import check_plan
from planner.plan.files.io import save_plan
from planner.plan.model.node_groups import Taint
from planner.plan.model.plan import Plan, SimulationSettings
from planner.plan.model.pods.containers import Container, HostPort, Resources
from planner.plan.model.pods.placement import (
    LabelSelector,
    PodAffinityTerm,
    PreferredNodeTerm,
    Toleration,
    TopologySpreadConstraint,
    WeightedPodAffinityTerm,
)
from planner.plan.model.pods.pod_classes import PriorityClass
from planner.plan.model.pods.pod_template import SchedulingGate
from planner.plan.model.scheduler import SchedulerProfileSettings, SchedulerSettings, ScoringStrategy
from planner.plan.model.workloads import JobSettings, Namespace, Service, StatefulSettings, WorkloadKind
from planner.simulation.run import run_plan
from tests.builders import a_node_group, a_plan, a_pod, a_reserve, a_workload

PROJECT = Path(__file__).parents[4]
ZONE, HOSTNAME = "topology.kubernetes.io/zone", "kubernetes.io/hostname"


def chosen(name: str) -> LabelSelector:
    return LabelSelector(match_labels={"app": name})


def pools():
    sizes = {"initial_size": 3, "min_size": 1, "max_size": 5}
    zonal = [a_node_group(f"zone-{zone}", zone=zone, labels={"disk": zone}, **sizes) for zone in "abc"]
    taint = Taint(key="dedicated", value="gpu", effect="NoSchedule")
    gpu = a_node_group("gpu", initial_size=1, min_size=1, max_size=2, taints=(taint,), extended={"example.com/gpu": 2})
    return (*zonal, gpu)


def workloads():
    near = PodAffinityTerm(topology_key=ZONE, label_selector=chosen("spread"))
    apart = PodAffinityTerm(topology_key=HOSTNAME, label_selector=chosen("apart"))
    spread = TopologySpreadConstraint(max_skew=1, topology_key=ZONE, label_selector=chosen("spread"))
    preferred = PreferredNodeTerm(
        weight=10, preference={"match_expressions": ({"key": "disk", "operator": "In", "values": ("a", "b")},)}
    )
    port = Container(requests=Resources(cpu="100m", memory="64Mi"), host_ports=(HostPort(port=80),))
    gpu = Container(requests=Resources(cpu="100m", memory="64Mi", extended={"example.com/gpu": 1}))
    return (
        a_workload("spread", replicas=9, pod=a_pod("500m", topology_spread_constraints=(spread,))),
        a_workload("apart", replicas=6, pod=a_pod(required_pod_anti_affinity=(apart,))),
        a_workload("near", replicas=5, pod=a_pod(preferred_pod_affinity=(
            WeightedPodAffinityTerm(weight=50, pod_affinity_term=near),), preferred_node_affinity=(preferred,))),
        a_workload("ports", replicas=4, pod=a_pod().model_copy(update={"containers": (port,)})),
        a_workload("gpus", replicas=3, pod=a_pod().model_copy(update={
            "containers": (gpu,), "tolerations": (Toleration(key="dedicated", operator="Exists"),)})),
        a_workload("packed", replicas=7, pod=a_pod("250m", scheduler_name="packer")),
        a_workload("gated", replicas=2, pod=a_pod(scheduling_gates=(SchedulingGate(name="a.b/c", removed_at="2m"),))),
        a_workload("by-hand", replicas=2, pod=a_pod(node_name="zone-b-0002")),
        a_workload("nowhere", replicas=1, pod=a_pod(node_name="zone-b-0099")),
        a_workload("data", kind="StatefulSet", replicas=3, pod=a_pod("1", zonal_claim=True),
                   stateful=StatefulSettings(claim_zones=("c",), pod_management_policy="Parallel")),
        a_workload("agent", kind=WorkloadKind.DAEMON_SET, pod=a_pod("50m")),
        a_workload("batch", kind=WorkloadKind.JOB, replicas=4, pod=a_pod("1"),
                   job=JobSettings(start="1m", completions=8, run_time="1m", failure_ratio=0.2)),
        a_workload("urgent", kind=WorkloadKind.JOB, replicas=12, pod=a_pod("2", priority_class="urgent"),
                   job=JobSettings(start="3m", completions=12, run_time="5m")),
    )  # fmt: skip


def the_plan() -> Plan:
    packer = SchedulerProfileSettings(scheduler_name="packer", scoring_strategy=ScoringStrategy(type="MostAllocated"))
    plan = a_plan(
        simulation=SimulationSettings(duration="6m"),
        node_groups=pools(),
        workloads=workloads(),
        namespaces=(Namespace(name="default", labels={"team": "x"}),),
        services=(Service(name="batch", selector={"app": "batch"}),),
        overprovisioning=(a_reserve(),),
        priority_classes=(PriorityClass(name="urgent", value=1_000),),
        scheduler=SchedulerSettings(profiles=(SchedulerProfileSettings(), packer)),
    )
    assert list(check_plan(plan)) == []
    return plan


def test_all_placement_features_together_give_one_digest(tmp_path: Path) -> None:
    path, plan = tmp_path / "all.headroom", the_plan()
    save_plan(plan, path)
    code = "import sys; from planner.api import load_plan, run_plan; print(run_plan(load_plan(sys.argv[1])).digest())"
    digests = {run_plan(plan).digest()}
    for hash_seed in ("0", "4711"):
        command = [sys.executable, "-c", code, str(path)]
        environment = os.environ | {"PYTHONHASHSEED": hash_seed}
        run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=PROJECT, env=environment)
        digests.add(run.stdout.strip())
    assert len(digests) == 1
    assert run_plan(plan, seed=2).digest() not in digests
