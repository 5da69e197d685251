"""Pods resized in place in whole runs: room of the node, restarts, what scheduler and HPA count meanwhile."""

import pytest

from planner.engine.loop import EventLoop
from planner.plan.model.autoscalers.vertical_pod_autoscaler import (
    ContainerResourcePolicy,
    CpuAndMemory,
    VerticalPodAutoscaler,
    VpaRecommenderSettings,
    VpaUpdaterSettings,
)
from planner.plan.model.events.plan_change import PlanChangeEvent
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.pods.containers import Container, ResizePolicy, Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.use import MemoryUse
from planner.record.decisions import Actor, Verdict
from planner.record.details.requests import ResizeApplied, ResizePending
from planner.simulation.simulation import Simulation
from planner.simulation.wiring import handlers
from planner.state.pods import ResizeStage
from tests.builders import a_node_group, a_plan, a_pod, a_workload, an_hpa

RECOMMENDER = VpaRecommenderSettings(phase="30s", initial_history="0s")
UPDATER = VpaUpdaterSettings(phase="40s", min_replicas=1)
US_PER_S = 1_000_000


def growing_plan(cpu="3", mode="InPlaceOrRecreate", policy=None, duration="10m", **settings):
    """A pod of 500m that should have `cpu`, and one of 2 cores that leaves after eight minutes, on a node of four."""
    least = ContainerResourcePolicy(min_allowed=CpuAndMemory(cpu=cpu), controlled_resources=("cpu",))
    vpa = VerticalPodAutoscaler(name="web", target="web", update_mode=mode, container_policies=(least,))
    container = Container(requests=Resources(cpu="500m", memory="256Mi"), resize_policy=ResizePolicy(**policy or {}))
    parts = {
        "workloads": (
            a_workload(replicas=1, pod=PodTemplate(containers=(container,), startup_delay="20s")),
            a_workload("other", replicas=1, pod=a_pod("2", "256Mi")),
        ),
        "node_groups": (a_node_group(cpu="4", initial_size=1, min_size=1, max_size=1),),
        "vertical_pod_autoscalers": (vpa,),
        "vpa_recommender": RECOMMENDER,
        "vpa_updater": UPDATER,
        "events": (PlanChangeEvent(type="change", at="4m", changes=("workloads[other].replicas = 0",)),),
        "simulation": SimulationSettings(duration=duration),
    }
    return a_plan(**parts | settings)


def played(plan, until_s=600):
    sim = Simulation(plan, 1)
    sim.start()
    EventLoop(sim.events, handlers(sim), sim.settle).run_until(until_s * US_PER_S)
    return sim


def kubelet(sim):
    kinds = (Verdict.RESIZED, Verdict.DEFERRED, Verdict.INFEASIBLE)
    return [one for one in sim.recorder.decisions if one.actor is Actor.KUBELET and one.verdict in kinds]


def pods_of(sim, workload):
    return list(sim.cluster.workload_pods[sim.world.workload_rows[workload]])


def test_a_resize_that_fits_is_in_force_at_once_and_the_pod_stays():
    sim = played(growing_plan(cpu="1500m"), 120)
    [pod] = pods_of(sim, "web")
    [done] = kubelet(sim)
    assert isinstance(done.details, ResizeApplied) and done.subject == sim.cluster.pod_name(pod) == "web-0001"
    assert sim.cluster.pod_specs[sim.cluster.pods.spec[pod]].request[0] == 1500
    assert sim.cluster.pods.restarts[pod] == 0 and sim.cluster.nodes.requested[0][0] == 3500


def test_a_resize_without_room_is_deferred_until_a_pod_leaves():
    sim = played(growing_plan(), 230)
    [pod] = pods_of(sim, "web")
    pods, cluster = sim.cluster.pods, sim.cluster
    assert pods.resize[pod] == ResizeStage.DEFERRED and cluster.pod_specs[pods.spec[pod]].request[0] == 500
    assert cluster.nodes.requested[0][0] == 5000, "the scheduler counts what is desired"
    [waiting] = kubelet(sim)
    assert waiting.details == ResizePending("deferred", "cpu", 3000, 2000)
    sim = played(growing_plan())
    [pod] = pods_of(sim, "web")
    assert [one.verdict for one in kubelet(sim)] == [Verdict.DEFERRED, Verdict.RESIZED]
    applied = kubelet(sim)[-1]
    assert applied.time_us > 240 * US_PER_S and applied.details.waited_s > 190
    assert sim.cluster.nodes.requested[0][0] == 3000 and sim.cluster.pods.desired[pod] == -1


def test_a_resize_beyond_the_node_is_infeasible_and_the_scheduler_counts_what_is_allocated():
    sim = played(growing_plan(cpu="6", mode="InPlace"), 100)
    [pod] = pods_of(sim, "web")
    assert sim.cluster.pods.resize[pod] == ResizeStage.INFEASIBLE
    assert sim.cluster.nodes.requested[0][0] == 2500
    assert kubelet(sim)[0].details == ResizePending("infeasible", "cpu", 6000, 4000)


@pytest.mark.parametrize(("mode", "evicted"), [("InPlaceOrRecreate", True), ("InPlace", False)])
def test_a_pod_that_is_deferred_for_long_is_evicted_only_where_the_mode_recreates(mode, evicted):
    sim = played(growing_plan(mode=mode, events=()), 600)
    found = [one for one in sim.recorder.decisions if (one.actor, one.verdict) == (Actor.VPA, Verdict.EVICTED)]
    assert bool(found) is evicted
    if evicted:
        assert found[0].time_us > (41 + 300) * US_PER_S


def test_containers_restart_where_their_policy_says_so():
    sim = played(growing_plan(cpu="1500m", policy={"cpu": "RestartContainer"}), 50)
    [pod] = pods_of(sim, "web")
    assert sim.cluster.pods.restarts[pod] == 1 and not sim.cluster.pods.ready[pod]
    assert kubelet(sim)[0].details.restarted == ("main",)
    sim = played(growing_plan(cpu="1500m", policy={"cpu": "RestartContainer"}), 120)
    assert sim.cluster.pods.ready[pod], "after its start-up"


def test_a_memory_limit_below_the_use_waits():
    container = Container(requests=Resources(cpu="500m", memory="1Gi"), limits=Resources(memory="1Gi"))
    workload = a_workload(replicas=1, pod=PodTemplate(containers=(container,)), memory_use=MemoryUse(start="800Mi"))
    most = ContainerResourcePolicy(max_allowed=CpuAndMemory(memory="500Mi"), controlled_resources=("memory",))
    vpa = VerticalPodAutoscaler(name="web", target="web", update_mode="InPlace", container_policies=(most,))
    sim = played(growing_plan(workloads=(workload,), vertical_pod_autoscalers=(vpa,), events=()), 300)
    [pod] = pods_of(sim, "web")
    assert sim.cluster.pods.resize[pod] == ResizeStage.IN_PROGRESS and not kubelet(sim)
    assert not [one for one in sim.recorder.decisions if one.verdict is Verdict.OOM_KILLED]


def test_a_pod_that_shrinks_makes_room_for_one_that_waits():
    most = ContainerResourcePolicy(max_allowed=CpuAndMemory(cpu="1"), controlled_resources=("cpu",))
    vpa = VerticalPodAutoscaler(name="web", target="web", update_mode="InPlace", container_policies=(most,))
    workloads = (
        a_workload(replicas=1, pod=a_pod("3", "256Mi")),
        a_workload("other", replicas=1, pod=a_pod("2", "256Mi")),
    )
    sim = played(growing_plan(workloads=workloads, vertical_pod_autoscalers=(vpa,), events=()), 120)
    [other] = pods_of(sim, "other")
    assert sim.cluster.pods.node[other] == 0 and sim.cluster.pods.bound_us[other] >= 41 * US_PER_S


@pytest.mark.parametrize(("mode", "replicas"), [("Off", 2), ("InPlace", 1)])
def test_an_hpa_divides_by_the_requests_that_are_desired(mode, replicas):
    """400m of 500m are 80 %, of 3 cores 13 %."""
    web = a_workload(replicas=2, pod=a_pod("500m", "256Mi"), cpu_use="400m")
    settings = {"workloads": (web, a_workload("other", replicas=1, pod=a_pod("2", "256Mi"))), "events": ()}
    sim = played(growing_plan(mode=mode, horizontal_pod_autoscalers=(an_hpa("web"),), **settings))
    assert sim.cluster.workloads.desired[sim.world.workload_rows["web"]] == replicas
    assert not [one for one in kubelet(sim) if one.verdict is Verdict.RESIZED and one.time_us < 400 * US_PER_S]
