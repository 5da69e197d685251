"""Node groups: pools of equal nodes that the Cluster Autoscaler may grow and shrink."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from planner.matching.taints import TaintEffect
from planner.plan.model.kubelet import KubeletSettings
from planner.plan.model.pricing import Market, Pricing
from planner.plan.model.scaling_marks import NodeGroupOptions
from planner.plan.values.fields import CpuMilli, DurationUs, Labels, MemoryBytes, Name, PlanModel, required, setting

MAX_PODS_PER_NODE = 100_000
"""Far above what kubelets are set to; a limit against slips."""
ZONE_LABEL = "topology.kubernetes.io/zone"
REGION_LABEL = "topology.kubernetes.io/region"
MACHINE_TYPE_LABEL = "node.kubernetes.io/instance-type"
OS_LABEL = "kubernetes.io/os"
ARCH_LABEL = "kubernetes.io/arch"
_DEFAULT_LABELS = {OS_LABEL: "linux", ARCH_LABEL: "amd64"}
_BETA_LABELS = {
    OS_LABEL: "beta.kubernetes.io/os",
    ARCH_LABEL: "beta.kubernetes.io/arch",
    MACHINE_TYPE_LABEL: "beta.kubernetes.io/instance-type",
    ZONE_LABEL: "failure-domain.beta.kubernetes.io/zone",
    REGION_LABEL: "failure-domain.beta.kubernetes.io/region",
}
"""Former names of labels, which nodes still carry."""


def known_labels(labels: Mapping[str, str], *, machine_type: str = "", zone: str = "") -> dict[str, str]:
    """Labels of a node as a cluster completes them; a label that is given stays.

    The kubelet sets operating system and architecture, the cloud provider machine type, zone and region, each under
    its present and its former name. Source: Kubernetes 1.36, pkg/kubelet/kubelet_node_status.go (initialNode) and
    staging/src/k8s.io/cloud-provider/controllers/node/node_controller.go.
    """
    own = {MACHINE_TYPE_LABEL: machine_type, ZONE_LABEL: zone}
    found = dict(labels) | {key: value for key, value in own.items() if value}
    for key, value in _DEFAULT_LABELS.items():
        found.setdefault(key, found.get(_BETA_LABELS[key], value))
    for key, former in _BETA_LABELS.items():
        if key in found:
            found.setdefault(former, found[key])
    return found


class Taint(PlanModel):
    """A mark on a node that repels pods."""

    key: str = required("Key", "Name of the taint.", min_length=1, max_length=317)
    value: str = setting("", "Value", "Value of the taint, may be empty.", max_length=63)
    effect: TaintEffect = required("Effect", "What happens to pods that do not tolerate the taint.")


class ZoneMode(StrEnum):
    """How a pool with several zones is simulated."""

    BALANCED = "balanced"
    """One group; the cloud puts each new node into the zone with the fewest nodes."""
    PER_ZONE = "perZone"
    """One group per zone, each with its own sizes."""


class PoolZone(PlanModel):
    """One of several zones of a pool. Omitted sizes are even shares of the pool's."""

    name: str = required("Zone", "Value of topology.kubernetes.io/zone.", min_length=1, max_length=63)
    min_size: int | None = setting(None, "Minimum", "Fewest nodes there, for perZone.", unit="nodes", ge=0, le=15_000)
    max_size: int | None = setting(None, "Maximum", "Most nodes there, for perZone.", unit="nodes", ge=0, le=15_000)
    initial_size: int | None = setting(
        None, "At start", "Ready nodes there when the run begins, for perZone.", unit="nodes", ge=0, le=15_000
    )


class NodeGroup(PlanModel):
    """A pool of equal nodes in one zone or several."""

    name: Name = required("Name", "Name of the node pool; its nodes are called <name>-0001 and so on.")
    min_size: int = setting(0, "Minimum", "The autoscaler never goes below this.", unit="nodes", ge=0, le=15_000)
    max_size: int = setting(10, "Maximum", "The autoscaler never goes above this.", unit="nodes", ge=0, le=15_000)
    initial_size: int = setting(1, "At start", "Ready nodes when the run begins.", unit="nodes", ge=0, le=15_000)
    machine_type: str = setting(
        "",
        "Machine type",
        "Machine type from the catalogue; nodes carry it as the label node.kubernetes.io/instance-type.",
        max_length=63,
    )
    cpu: CpuMilli = required("CPU", "CPU capacity of a node.", unit="cores")
    memory: MemoryBytes = required("Memory", "Memory capacity of a node.", unit="bytes")
    pods: int = setting(110, "Pods", "Maximum pods per node.", unit="pods", ge=1, le=MAX_PODS_PER_NODE)
    ephemeral_storage: MemoryBytes = setting(
        0, "Ephemeral storage", "Allocatable scratch space of a node's disk; needed by pods that request it.",
        unit="bytes",
    )  # fmt: skip
    images: dict[str, MemoryBytes] = Field(
        default_factory=dict,
        title="Images",
        description="Images that every node already holds, with their size; the scheduler prefers such nodes.",
        json_schema_extra={"unit": "bytes"},
    )
    extended: dict[str, int] = Field(
        default_factory=dict,
        title="Extended resources",
        description="Other countable resources of a node, for example nvidia.com/gpu: 1.",
        json_schema_extra={"unit": "units"},
    )
    volume_limits: dict[str, Annotated[int, Field(ge=0, le=100_000)]] = Field(
        default_factory=dict,
        title="Volume limits",
        description="Most volumes of a CSI driver that a node can attach, for example ebs.csi.aws.com: 25; no entry "
        "means no limit.",
        json_schema_extra={"unit": "volumes"},
        max_length=50,
    )
    reserved_cpu: CpuMilli = setting(0, "Reserved CPU", "CPU reserved for the system; not allocatable.", unit="cores")
    reserved_memory: MemoryBytes = setting(
        0, "Reserved memory", "Memory reserved for the system and eviction; not allocatable.", unit="bytes"
    )
    initial_age: DurationUs | None = setting(
        None, "Age at start", "With a warm start: how long its first nodes have been Ready already; empty means "
        "simulation.initialNodeAge.", unit="s",
    )  # fmt: skip
    kubelet: KubeletSettings | None = setting(
        None, "Kubelet", "Reservations and eviction thresholds; empty means the simple reservations above."
    )
    zone: str = setting("", "Zone", "Value of topology.kubernetes.io/zone; empty means no zone label.", max_length=63)
    zones: tuple[PoolZone, ...] = setting(
        (), "Zones", "Zones of a pool that spans several; used instead of the single zone.", max_length=20
    )
    zone_mode: ZoneMode = setting(
        ZoneMode.BALANCED,
        "Zone mode",
        "balanced: one group, each new node goes to the zone with the fewest, and the autoscaler expects the first "
        "zone. perZone: a group per zone, which is recommended.",
    )
    labels: Labels = Field(
        default_factory=dict,
        title="Labels",
        description="Labels of every node, for node selectors and affinity. Those that every node has (operating "
        "system, architecture, hostname, machine type, zone) are added.",
        json_schema_extra={"unit": ""},
    )
    taints: tuple[Taint, ...] = setting((), "Taints", "Marks that repel pods without a matching toleration.")
    provisioning_delay: DurationUs = setting(
        "210s", "Provisioning delay", "Mean time from the request until a node is Ready.", unit="s"
    )
    provisioning_spread: DurationUs = setting(
        "30s", "Provisioning spread", "Standard deviation of that time (log-normal); 0 means none.", unit="s"
    )
    ready_delay: DurationUs = setting(
        "0s", "Ready delay", "Additional time from a node's registration until it is Ready.", unit="s"
    )
    driver_delay: DurationUs = setting(
        "0s", "Driver delay", "Time from Ready until extended resources such as GPUs are available.", unit="s"
    )
    quota: int | None = setting(
        None, "Quota", "Maximum nodes the cloud grants the pool; further requests fail. Empty means no quota.",
        unit="nodes", ge=0, le=15_000,
    )  # fmt: skip
    deletion_delay: DurationUs = setting("30s", "Deletion delay", "Time the cloud needs to remove a node.", unit="s")
    price_per_hour: float = setting(
        0.0, "Price", "Price of a node; 0 means unknown to the price expander.", unit="currency/h", ge=0, le=10_000
    )
    pricing: Pricing = setting(Pricing(), "Pricing", "Spot or reserved nodes, and how time is billed.")
    scaling: NodeGroupOptions = setting(
        NodeGroupOptions(), "Cluster Autoscaler", "Settings of the autoscaler for this pool only."
    )

    @property
    def node_labels(self) -> dict[str, str]:
        """Labels of every node but its hostname, and its zone where the pool has several."""
        return self.labels_in(self.zone)

    def labels_in(self, zone: str) -> dict[str, str]:
        """Labels of every node of the zone but its hostname; empty: a node without a zone."""
        return known_labels(self.labels, machine_type=self.machine_type, zone=zone)

    @property
    def node_price(self) -> float:
        """Price per hour of a node that is not reserved."""
        spot = self.pricing.spot_price_per_hour if self.pricing.market is Market.SPOT else 0.0
        return spot or self.price_per_hour
