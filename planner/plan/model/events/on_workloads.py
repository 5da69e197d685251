"""Events that happen to workloads and their pods."""

from typing import Literal

from planner.plan.model.events.event_fields import duration_field, workload_field
from planner.plan.model.events.times import Timed
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.values.fields import DurationUs, Name, required, setting


class ImagePullDelay(Timed):
    """Pods of a workload start late because their image is pulled slowly."""

    type: Literal["imagePullDelay"]
    workload: Name = workload_field("Workload whose pods start late.")
    delay: DurationUs = setting("1m", "Delay", "Time added to the start-up of a pod.", unit="s")
    duration: DurationUs = duration_field("30m", "Pods bound during this time are affected.")


class Rollout(Timed):
    """A new revision of a workload: its pods are replaced as its update strategy says."""

    type: Literal["rollout"]
    workload: Name = workload_field("Workload that gets a new revision.")
    pod: PodTemplate | None = setting(
        None, "New template", "Template of the new revision; empty means that nothing changes in it. What the "
        "workload itself says of CPU, memory and disk use stays.",
    )  # fmt: skip


class CreateWorkload(Timed):
    """A workload is created with its replicas; it does not exist before the first such event."""

    type: Literal["createWorkload"]
    workload: Name = workload_field("Workload that is created.")


class DeleteWorkload(Timed):
    """A workload is deleted, and its pods with it."""

    type: Literal["deleteWorkload"]
    workload: Name = workload_field("Workload that is deleted.")


class ReadinessFlap(Timed):
    """Some pods of a workload, chosen at random, are not Ready for a while."""

    type: Literal["readinessFlap"]
    workload: Name = workload_field("Workload whose pods are hit.")
    count: int = setting(1, "Pods", "Maximum number of ready pods affected.", unit="pods", ge=1, le=200_000)
    duration: DurationUs = duration_field("30s", "How long they are not Ready.")


class DeletePods(Timed):
    """kubectl delete pod: pods of a workload end with their grace period, and their controller makes others."""

    type: Literal["deletePods"]
    workload: Name = workload_field("Workload whose pods are deleted.")
    count: int = setting(1, "Pods", "Maximum number of pods, chosen at random.", unit="pods", ge=1, le=200_000)
    node: str = setting("", "On node", "Only pods on this node; empty means any.", max_length=253)


class SetReplicas(Timed):
    """Writes spec.replicas, as applying a manifest again does; an autoscaler may change it back."""

    type: Literal["setReplicas"]
    workload: Name = workload_field("Deployment or StatefulSet that is scaled.")
    replicas: int = required("Replicas", "The number that is written.", unit="pods", ge=0, le=200_000)
