"""A draft of a plan: parts as plan files spell them, each with its source in the manifests."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from planner.kube.draft.left_out import Losses
from planner.kube.draft.limits import LimitRangePart
from planner.kube.draft.living import Revision
from planner.kube.files.field import Field
from planner.kube.files.source import Source
from planner.plan.model.autoscalers.hpa_metric import MetricSource, TargetType

Part = dict[str, Any]
ObjectKey = tuple[str, str, str]
"""Kind, namespace, name."""


@dataclass(frozen=True)
class WorkloadPart:
    """A workload without its final name."""

    key: ObjectKey
    source: Source
    fields: Part
    gives_replicas: bool = True
    """The object itself says how many pods it wants."""


@dataclass(frozen=True)
class NodePart:
    """One node in the words of the plan."""

    name: str
    source: Source
    pool: str
    """Name of its pool where the provider labels it; empty otherwise."""
    fields: Part
    """Settings of a node group that its node makes."""
    labels: Mapping[str, str]
    images: Mapping[str, int]
    unschedulable: bool = False
    created: str = ""
    """When it was created."""
    sizes: Part = field(default_factory=dict)
    """minSize, maxSize and other settings an export of Headroom noted."""


@dataclass(frozen=True)
class KubeletPart:
    """A KubeletConfiguration in the words of the plan."""

    source: Source
    name: str
    """Of the object; empty for most of them."""
    fields: Part
    max_pods: int | None


@dataclass
class PodGroup:
    """Pods of one owner, or bare pods, with equal templates."""

    owner: ObjectKey | None
    name: str
    namespace: str
    source: Source
    pod: Part
    count: int = 0
    nodes: dict[str, int] = field(default_factory=dict)
    """Nodes on which they stand, by the names of the cluster, with the pods there."""
    created: list[str] = field(default_factory=list)
    """When those on nodes were created."""
    is_static: bool = False
    """Mirror pods of kubelets."""
    pods: list[str] = field(default_factory=list)
    """Their names."""


@dataclass(frozen=True)
class SeriesPart:
    """A metric of the custom or external metrics API, as an autoscaler asks for it."""

    at: int
    """Position among the metrics of its autoscaler."""
    name: str
    source: MetricSource
    target_type: TargetType
    target: str
    """Quantity in the spelling of plan files."""


@dataclass(frozen=True, slots=True)
class MeasuredUse:
    """What the containers of a pod used together: milli-CPU, bytes."""

    cpu_milli: int
    memory: int


@dataclass(frozen=True)
class ProportionalPart:
    """A proportional autoscaler as its command line describes it."""

    source: Source
    name: str
    namespace: str
    """Of its targets and of its config map."""
    config_map: str
    default_params: tuple[Field, str] | None
    """The word of the command line and the JSON in it."""
    targets: tuple[tuple[str, str], ...]
    """Kind and name."""
    poll_s: int
    node_labels: Mapping[str, str]


@dataclass(frozen=True)
class ScalerPart:
    """A horizontal pod autoscaler without the final name of its target."""

    source: Source
    target: ObjectKey
    fields: Part
    series: tuple[SeriesPart, ...] = ()
    """Metrics whose values no manifest holds."""
    owner: ObjectKey | None = None
    """The object that made it, such as a ScaledObject."""


@dataclass
class Draft:
    """Everything the mapping modules found."""

    losses: Losses = field(default_factory=Losses)
    nodes: list[NodePart] = field(default_factory=list)
    workloads: list[WorkloadPart] = field(default_factory=list)
    scalers: list[ScalerPart] = field(default_factory=list)
    sized: list[ScalerPart] = field(default_factory=list)
    """Vertical pod autoscalers."""
    event_scalers: list[ScalerPart] = field(default_factory=list)
    """ScaledObjects of KEDA."""
    job_makers: list[ScalerPart] = field(default_factory=list)
    """ScaledJobs of KEDA; the target of each is itself, since it holds the template of its jobs."""
    lists: dict[str, list[tuple[Source, Part]]] = field(default_factory=dict)
    """Items of the plan's plain lists (priorityClasses and so on), by their key."""
    sections: dict[str, tuple[Source, Part]] = field(default_factory=dict)
    """Settings of the plan (scheduler, clusterAutoscaler), by their key."""
    observed: dict[ObjectKey, int] = field(default_factory=dict)
    """Living pods by the object that controls them."""
    placed: dict[ObjectKey, dict[str, int]] = field(default_factory=dict)
    marked: dict[ObjectKey, dict[str, int]] = field(default_factory=dict)
    """Nodes that an export noted for controllers, with the pods on them."""
    """Nodes on which living pods of a controller stand, by the names of the cluster, with the pods there."""
    created: dict[ObjectKey, list[str]] = field(default_factory=dict)
    """When the living pods of a controller on nodes were created."""
    newest_time: str = ""
    """The newest time stamp of the manifests, as the API server spells it."""
    living: dict[tuple[ObjectKey, str], Revision] = field(default_factory=dict)
    """Living pods by controller and name of its template (revision hash)."""
    revisions: dict[ObjectKey, int] = field(default_factory=dict)
    """Number by which a Deployment orders its ReplicaSets; the largest is the newest."""
    update_revisions: dict[ObjectKey, str] = field(default_factory=dict)
    """Template that a StatefulSet is moving its pods to."""
    limit_ranges: dict[str, list[LimitRangePart]] = field(default_factory=dict)
    """Bounds and defaults of new pods, by namespace."""
    quotas: dict[str, list[Part]] = field(default_factory=dict)
    """Resource quotas by namespace."""
    controllers: dict[ObjectKey, ObjectKey | None] = field(default_factory=dict)
    """Known controllers and who controls them in turn."""
    pod_groups: dict[tuple[Any, ...], PodGroup] = field(default_factory=dict)
    """Pods without a controller among the manifests, by what makes them equal; several keys may mean one group."""
    waiting: PodGroup | None = None
    """The group of the last bare pod that had no node: only its like may join it, for the scheduler's queue keeps
    the order of creation."""
    priorities: dict[str, Part] = field(default_factory=dict)
    """Priority classes as admission wrote them into pods, by name."""
    overheads: dict[str, Part] = field(default_factory=dict)
    """Overheads of runtime classes as admission wrote them into pods, by name of the class."""
    kubelet_versions: dict[str, int] = field(default_factory=dict)
    """Nodes by the version of their kubelet, such as v1.33.4-gke.1000; empty where they do not say."""
    images: dict[str, None] = field(default_factory=dict)
    """Images that containers name."""
    kubelets: list[KubeletPart] = field(default_factory=list)
    volume_limits: dict[str, dict[str, int]] = field(default_factory=dict)
    """Most volumes that nodes can attach, by name of the node and CSI driver."""
    provisioners: dict[str, str] = field(default_factory=dict)
    """CSI drivers by storage class; "" is the default class."""
    volume_nodes: dict[str, list[Part]] = field(default_factory=dict)
    """Node selector terms by volume: where it can be attached; none means everywhere."""
    claimed: dict[tuple[str, str], str] = field(default_factory=dict)
    """Volume by namespace and name of its claim."""
    node_names: dict[str, str] = field(default_factory=dict)
    """What the plan calls each node; known once the pools are."""
    measured: dict[tuple[str, str], MeasuredUse] = field(default_factory=dict)
    """What pods used, by namespace and name of the pod."""
    config_maps: dict[tuple[str, str], Field] = field(default_factory=dict)
    """Config maps with parameters of proportional autoscalers, by namespace and name."""
    proportional: list[ProportionalPart] = field(default_factory=list)
    pool_prefix_sizes: dict[str, tuple[int, int]] = field(default_factory=dict)
    """The same by prefix of names, for groups that the autoscaler finds by itself."""
    pool_sizes: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Minimum and maximum by name of node group, from the flags of the Cluster Autoscaler."""

    def nodes_of_claim(self, namespace: str, claim: str) -> list[Part] | None:
        """Node selector terms of the volume of a claim; None if no volume is known for it."""
        return self.volume_nodes.get(self.claimed.get((namespace, claim), ""))

    def add(self, section: str, source: Source, part: Part) -> None:
        """An item of one of the plan's plain lists."""
        self.lists.setdefault(section, []).append((source, part))


def given(**parts: Any) -> Part:
    """Only what is there: no None, no empty map or list. Underscores become the file's spelling."""
    return {_camel(key): value for key, value in parts.items() if value is not None and value != {} and value != []}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
