"""headroom get"""

import re

import pytest

from planner import cli
from planner.plan.files.io import save_plan
from planner.plan.model.autoscalers.scaled_object import ScaledJob
from planner.plan.model.events.plan_change import PlanChangeEvent
from planner.plan.model.karpenter.settings import KarpenterSettings
from planner.plan.model.workloads import JobSettings
from tests.builders import a_node_group, a_plan, a_pod, a_workload, an_hpa
from tests.planner.simulation.scaling.test_event_scaling import QUEUE, event_plan
from tests.planner.simulation.scaling.test_vertical_pod_autoscaler import sized_plan


def served_plan():
    """A node with room for one of two pods."""
    pool = a_node_group(min_size=1, max_size=1)
    return a_plan(node_groups=(pool,), workloads=(a_workload(replicas=2, pod=a_pod("2500m")),))


def bought_plan():
    """A pod for which Karpenter buys a machine in one minute."""
    machine = {"name": "m", "cpu": "4", "memory": "16Gi", "offerings": [{"zone": "a", "price": 0.2}]}
    pool = {"name": "bought", "provisioningDelay": "60s", "provisioningSpread": "0s", "readyDelay": "10s"}
    karpenter = KarpenterSettings.model_validate({"nodePools": [pool], "instanceTypes": [machine]})
    return a_plan(node_groups=(), workloads=(a_workload(replicas=1),), karpenter=karpenter, node_autoscaler="karpenter")


def printed_lines(plan, arguments, tmp_path, capsys):
    path = tmp_path / "plan.headroom"
    save_plan(plan, path)
    kind, *options = arguments
    assert cli.main(["get", kind, str(path), *options]) == 0
    printed = capsys.readouterr()
    assert printed.out or "No resources found" in printed.err
    return printed.out.splitlines()


@pytest.mark.parametrize(
    ("plan", "arguments", "lines"),
    [
        (
            sized_plan("Off"),
            ["vpa", "--at", "1s"],
            ["NAMESPACE   NAME   MODE   CPU   MEM   PROVIDED", "default     web    Off                False"],
        ),
        (
            sized_plan("Off"),
            ["vpa", "--at", "1m"],
            [
                "NAMESPACE   NAME   MODE   CPU    MEM         PROVIDED",
                "default     web    Off    126m   380258472   True",
            ],
        ),
        (sized_plan("Off"), ["scaledjob", "--at", "1s"], []),
        (
            event_plan({}),
            ["hpa", "--at", "12m"],
            [
                "NAMESPACE   NAME           REFERENCE        TARGETS          MINPODS   MAXPODS   REPLICAS",
                "default     keda-hpa-web   Deployment/web   8750m/10 (avg)   1         100       4",
            ],
        ),
    ],
)
def test_objects_are_printed_as_kubectl_does(plan, arguments, lines, tmp_path, capsys):
    assert printed_lines(plan, arguments, tmp_path, capsys) == lines


def changed_plan(*changes, **settings):
    """A plan of which numbers differ from minute 10 to minute 20."""
    event = PlanChangeEvent(type="change", changes=changes, at="10m", duration="10m")
    return event_plan({"min_replicas": 1, "max_replicas": 20}, events=(event,), **settings)


PAUSE = changed_plan("scaledObjects[web].paused = true", "scaledObjects[web].minReplicas = 3")
RANGE = changed_plan(
    "horizontalPodAutoscalers[shop].maxReplicas = 30", "horizontalPodAutoscalers[shop].minReplicas = 2",
    workloads=(a_workload(replicas=2), a_workload("shop")), horizontal_pod_autoscalers=(an_hpa("shop"),),
)  # fmt: skip
SLEEP = changed_plan(
    "scaledJobs[work].paused = true", "scaledJobs[work].maxReplicas = 7",
    workloads=(a_workload(replicas=2), a_workload("work", kind="Job", replicas=1, job=JobSettings(run_time="2m"))),
    scaled_jobs=(ScaledJob(name="work", job_target="work", max_replicas=100, triggers=(QUEUE,)),),
)  # fmt: skip


@pytest.mark.parametrize(
    ("plan", "kind", "columns", "at_start", "changed"),
    [
        (PAUSE, "scaledobject", ("MIN", "PAUSED"), [("1", "False")], [("3", "True")]),
        (PAUSE, "hpa", ("NAME", "MINPODS"), [("keda-hpa-web", "1")], []),
        (RANGE, "hpa", ("NAME", "MAXPODS", "MINPODS"), [("keda-hpa-web", "20", "1"), ("shop", "10", "1")],
         [("keda-hpa-web", "20", "1"), ("shop", "30", "2")]),
        (SLEEP, "scaledjob", ("MAX", "PAUSED"), [("100", "False")], [("7", "True")]),
    ],
)  # fmt: skip
def test_bounds_and_pauses_are_those_of_the_time(plan, kind, columns, at_start, changed, tmp_path, capsys):
    def printed(at):
        table = printed_lines(plan, [kind, "--at", at], tmp_path, capsys)
        header, *lines = [re.split(r"\s{3,}", line) for line in table] or [[]]
        return [tuple(line[header.index(column)] for column in columns) for line in lines]

    assert [printed(at) for at in ("599s", "10m", "20m")] == [at_start, changed, at_start]


@pytest.mark.parametrize(
    ("plan", "arguments", "lines"),
    [
        (
            served_plan(),
            ["nodes", "--at", "10s"],
            [
                "NAME        STATUS   ROLES    AGE   VERSION",
                "pool-0001   Ready    <none>   24h   v1.36",
            ],
        ),
        (
            served_plan(),
            ["pods", "--at", "5s"],
            [
                "NAMESPACE   NAME       READY   STATUS    AGE   NODE",
                "default     web-0001   1/1     Running   24h   pool-0001",
                "default     web-0002   0/1     Pending   5s    <none>",
            ],
        ),
        (served_plan(), ["nodeclaims", "--at", "10s"], []),
        (
            bought_plan(),
            ["nodeclaims", "--at", "30s"],
            [
                "NAME          TYPE   CAPACITY    ZONE   NODE   READY     AGE   NODEPOOL",
                "bought-0001   m      on-demand   a             Unknown   29s   bought",
            ],
        ),
        (bought_plan(), ["nodes", "--at", "30s"], []),
        (
            bought_plan(),
            ["nodeclaims", "--at", "3m"],
            [
                "NAME          TYPE   CAPACITY    ZONE   NODE          READY   AGE     NODEPOOL",
                "bought-0001   m      on-demand   a      bought-0001   True    2m59s   bought",
            ],
        ),
    ],
)
def test_the_cluster_is_printed_as_kubectl_does(plan, arguments, lines, tmp_path, capsys):
    assert printed_lines(plan, arguments, tmp_path, capsys) == lines
