"""The kinds of manifests that can be read and written. A new kind: its module, and a line here."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Protocol

from planner.kube.draft.draft import Draft, Part
from planner.kube.files.field import Field
from planner.kube.kinds.cluster import (
    csi_node,
    limit_range,
    namespace,
    node,
    persistent_volume,
    persistent_volume_claim,
    pod_disruption_budget,
    pod_metrics,
    priority_class,
    resource_quota,
    runtime_class,
    service,
    storage_class,
)
from planner.kube.kinds.configuration import (
    config_map,
    horizontal_pod_autoscaler,
    kube_scheduler_configuration,
    kubelet_configuration,
    vertical_pod_autoscaler,
)
from planner.kube.kinds.karpenter import (
    aks_node_class,
    auto_mode_node_class,
    aws_node_template,
    ec2_node_class,
    kwok_node_class,
    node_claim,
    node_overlay,
    node_pool,
    provisioner,
)
from planner.kube.kinds.keda import scaled_job, scaled_object
from planner.kube.kinds.workloads import (
    cron_job,
    daemon_set,
    deployment,
    job,
    pod,
    replica_set,
    replication_controller,
    rollout,
    stateful_set,
)
from planner.plan.model.plan import Plan


class KindModule(Protocol):
    """What a mapping module offers."""

    @property
    def KIND(self) -> str:
        """Kind of its manifests."""

    @property
    def GROUPS(self) -> tuple[str, ...]:
        """API groups in which the kind means this."""

    @property
    def read(self) -> Callable[[Field, Draft], None]:
        """Takes what the plan knows."""


_MODULES: tuple[KindModule, ...] = (
    namespace,
    priority_class,
    runtime_class,
    limit_range,
    resource_quota,
    kube_scheduler_configuration,
    kubelet_configuration,
    config_map,
    csi_node,
    storage_class,
    persistent_volume,
    persistent_volume_claim,
    node,
    ec2_node_class,
    auto_mode_node_class,
    aws_node_template,
    aks_node_class,
    kwok_node_class,
    node_overlay,
    node_claim,
    node_pool,
    provisioner,
    deployment,
    stateful_set,
    daemon_set,
    rollout,
    replica_set,
    replication_controller,
    job,
    cron_job,
    scaled_job,
    pod,
    pod_metrics,
    pod_disruption_budget,
    horizontal_pod_autoscaler,
    vertical_pod_autoscaler,
    scaled_object,
    service,
)
"""In the order in which they are read: controllers before their pods."""

KINDS: Mapping[str, KindModule] = MappingProxyType({module.KIND: module for module in _MODULES})
READING_ORDER: Mapping[str, int] = MappingProxyType({kind: at for at, kind in enumerate(KINDS)})


def writers() -> Iterator[tuple[str, Callable[[Plan], Iterator[Part]]]]:
    """Kind and writer of every kind that an export makes."""
    for kind, module in KINDS.items():
        write: Callable[[Plan], Iterator[Part]] | None = getattr(module, "write", None)
        if write is not None:
            yield kind, write
