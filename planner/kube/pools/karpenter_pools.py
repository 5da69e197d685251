"""Pools of Karpenter with their living nodes, and machine types for them.

No manifest holds the machine types: those of the machine catalogue are taken that suit the pools, and of types that run
already what their nodes report.
"""

from collections.abc import Mapping, Sequence

from pydantic import ValidationError

from planner.kube.draft.draft import Draft, NodePart, Part
from planner.kube.kinds.cluster.node import ZONE_LABELS
from planner.kube.kinds.karpenter.node_class import NODE_CLASSES
from planner.kube.kinds.karpenter.node_pool import CLASS_OF_POOL
from planner.kube.pools.node_overlays import with_overlays
from planner.language.translation import marked, tr
from planner.plan.derived.machine_choice import CAPACITY_TYPE, serves
from planner.plan.edits.karpenter.machine_types import machine_type_of
from planner.plan.edits.machine_catalogue import Machine, machine_catalogue
from planner.plan.model.karpenter.machine_types import CapacityType, MachineType
from planner.plan.model.karpenter.node_pools import NodePool, RequirementWord
from planner.plan.model.kubelet import ReservationPreset
from planner.plan.model.node_groups import ARCH_LABEL, MACHINE_TYPE_LABEL, ZONE_LABEL
from planner.units import parse_count

_SERVICES = {
    "EC2NodeClass": ReservationPreset.EKS,
    "AWSNodeTemplate": ReservationPreset.EKS,
    "NodeClass": ReservationPreset.EKS,  # of EKS Auto Mode
    "AKSNodeClass": ReservationPreset.AKS,
    "GCENodeClass": ReservationPreset.GKE,
}
_FROM_CATALOGUE = marked(
    "Karpenter chooses from {count} machine types of the catalogue that suit its pools, at example prices: check "
    "karpenter.instanceTypes"
)
_UNSERVED = marked("no machine type of the catalogue is known to suit the pool")
_NO_PROVIDER = marked(
    "nothing says whose machines the pool may have; name the kind of its node class, such as EC2NodeClass"
)
_KIND_BY_LABEL = {
    "karpenter.k8s.aws": "EC2NodeClass",
    "eks.amazonaws.com": "NodeClass",
    "karpenter.azure.com": "AKSNodeClass",
    "karpenter.k8s.gcp": "GCENodeClass",
}
"""The kind of node class of pools that ask for machines by labels under these names."""
_LABELS_OF_AUTO_MODE = ("karpenter.k8s.aws/", "eks.amazonaws.com/")
"""EKS Auto Mode describes machine types by the same labels under a name of its own."""
_OF_NODES = ("cpu", "memory", "pods", "ephemeralStorage", "extended", "reservedCpu", "reservedMemory")
Place = tuple[str, str, str]
"""Machine type, zone, capacity type."""


def karpenter_settings(draft: Draft, pools: Sequence[Part]) -> Part:
    """The pools with the nodes that they have, and machine types."""
    nodes = {pool["name"]: [node for node in draft.nodes if node.pool == pool["name"]] for pool in pools}
    for name, own in nodes.items():
        own.sort(key=_place)
        for number, node in enumerate(own, start=1):
            draft.node_names[node.name] = f"{name}-{number:04d}"
    references = _references(draft, pools)
    types = {each["name"]: each for each in _from_catalogue(draft, pools, references)}
    for node in (node for own in nodes.values() for node in own):
        types[_place(node)[0]] = _with_node(types.get(_place(node)[0], {}), node)
    served = _served(draft, pools, list(types.values()), references)
    kept = [pool | _registration(draft, references[pool["name"]]) | _at_start(nodes[pool["name"]]) for pool in served]
    return {"nodePools": kept, "instanceTypes": with_overlays(list(types.values()), draft)} if kept else {}


def _references(draft: Draft, pools: Sequence[Part]) -> dict[str, Part]:
    """Kind and name of the node class of each pool.

    The reference may lack the kind, as v1beta1 allows; then a class of that name, or labels of a provider, tell it.
    """
    named = {part["name"]: part for _, part in draft.lists.get(CLASS_OF_POOL, [])}
    kinds = {name: kind for kind, name in _classes(draft)}
    found = {}
    for pool in pools:
        part = named.get(pool["name"], {})
        labels = (each["key"].split("/")[0] for each in pool.get("requirements", ()))
        by_label = next((_KIND_BY_LABEL[label] for label in labels if label in _KIND_BY_LABEL), "")
        kind = part.get("kind") or kinds.get(part.get("nodeClass", "")) or by_label
        found[pool["name"]] = {**part, "kind": kind}
    return found


def _served(draft: Draft, pools: Sequence[Part], types: Sequence[Part], references: Mapping[str, Part]) -> list[Part]:
    """The pools that some machine type can serve; the others would make no plan."""
    try:
        machines = [MachineType.model_validate(each) for each in types]
        served = [any(serves(machine, NodePool.model_validate(pool)) for machine in machines) for pool in pools]
    except ValidationError:  # reported with its place when the plan is read
        return list(pools)
    for pool, is_served in zip(pools, served, strict=True):
        if not is_served:
            is_known = bool(references[pool["name"]]["kind"])
            where, why = ("requirements", _UNSERVED) if is_known else ("nodeClassRef.kind", _NO_PROVIDER)
            draft.losses.add("NodePool", f"spec.template.spec.{where}", f"{pool['name']}: {tr(why)}")
    return [pool for pool, is_served in zip(pools, served, strict=True) if is_served]


def _registration(draft: Draft, reference: Part) -> Part:
    """How long the nodes of a pool take to register, where its node class says that."""
    delay = _classes(draft).get(_class_of(reference), {}).get("delay")
    return {} if delay is None else {"provisioningDelay": delay, "provisioningSpread": "0s"}


def _classes(draft: Draft) -> dict[tuple[str, str], Part]:
    """What is known of node classes, by kind and name."""
    return {(part["kind"], part["name"]): part for _, part in draft.lists.get(NODE_CLASSES, [])}


def _class_of(named: Part) -> tuple[str, str]:
    """Kind and name of the class that a pool names."""
    return named.get("kind", ""), named.get("nodeClass", "")


def _at_start(nodes: Sequence[NodePart]) -> Part:
    counts: dict[Place, int] = {}
    for node in nodes:
        counts[_place(node)] = counts.get(_place(node), 0) + 1
    some = [
        {"machineType": machine, "zone": zone, "capacityType": market, "count": count}
        for (machine, zone, market), count in counts.items()
    ]
    return {"initialNodes": some} if some else {}


def _place(node: NodePart) -> Place:
    labels = node.labels
    zone = next((labels[key] for key in ZONE_LABELS if labels.get(key)), "zone-1")
    machine = labels.get(MACHINE_TYPE_LABEL) or f"{node.pool}-machine"
    return machine, zone, labels.get(CAPACITY_TYPE) or CapacityType.ON_DEMAND.value


def _with_node(known: Part, node: NodePart) -> Part:
    """A machine type, with what a node of it reports, offered where the node is."""
    machine, zone, market = _place(node)
    offers = list(known.get("offerings", []))
    if not any((offer["zone"], offer.get("capacityType", "on-demand")) == (zone, market) for offer in offers):
        alike = [offer["price"] for offer in offers if offer.get("capacityType", "on-demand") == market]
        offers.append({"zone": zone, "capacityType": market, "price": min(alike, default=0.0)})
    seen = {key: node.fields[key] for key in _OF_NODES if key in node.fields}
    arch = {"architecture": node.labels[ARCH_LABEL]} if ARCH_LABEL in node.labels else {}
    rest = {key: value for key, value in known.items() if key not in (*_OF_NODES, "reservedStorage")}
    return rest | {"name": machine, **arch, **seen, "offerings": offers}


# -- from the catalogue ---------------------------------------------------------------------------


def _from_catalogue(draft: Draft, pools: Sequence[Part], references: Mapping[str, Part]) -> list[Part]:
    """Types that serve one of the pools, in the zones that pools or nodes name."""
    classes = _classes(draft)
    named = list(references.values())
    taken = next((part for part in named if part.get("kind") in _SERVICES), None)
    try:
        wanted = [NodePool.model_validate(pool) for pool in pools]
    except ValidationError:  # reported with its place when the plan is read
        return []
    if taken is None:
        return []
    node_class = classes.get(_class_of(taken), {})
    _tell_other_classes(draft, named, taken, classes)
    made = _machine_types(_SERVICES[taken["kind"]], node_class, _zones(draft, wanted))
    if taken["kind"] == "NodeClass":
        made = [each.model_copy(update={"labels": _of_auto_mode(each.labels)}) for each in made]
    found = [each for each in made if any(serves(each, pool) for pool in wanted)]
    if found:
        draft.losses.remark(tr(_FROM_CATALOGUE, count=len(found)))
    return [each.model_dump(mode="json", by_alias=True, exclude_defaults=True) for each in found]


def _machine_types(service: ReservationPreset, node_class: Part, zones: Sequence[str]) -> list[MachineType]:
    catalogue = machine_catalogue()
    return [
        machine_type_of(_as_the_class_says(machine, node_class), catalogue, zones)
        for machine in catalogue.machines
        if catalogue.provider_of(machine).service is service
    ]


def _of_auto_mode(labels: Mapping[str, str]) -> dict[str, str]:
    return {key.replace(*_LABELS_OF_AUTO_MODE): value for key, value in labels.items()}


def _as_the_class_says(machine: Machine, node_class: Part) -> Machine:
    """With the pods and the disk of a node class."""
    changes = {"pods": node_class.get("pods"), "disk": node_class.get("disk") and parse_count(node_class["disk"])}
    return machine.model_copy(update={name: value for name, value in changes.items() if value})


def _tell_other_classes(
    draft: Draft, named: Sequence[Part], taken: Part, classes: Mapping[tuple[str, str], Part]
) -> None:
    """Machine types are the same for all pools."""
    own = classes.get(_class_of(taken), {})
    for part in (part for part in named if part["kind"]):
        other = classes.get(_class_of(part), {})
        if any(other.get(what) != own.get(what) for what in ("pods", "disk")):
            why = tr(
                "pods and disk of all machine types are those of {kind} {name}",
                kind=taken["kind"],
                name=taken.get("nodeClass", ""),
            )
            draft.losses.add(part["kind"], "", f"{part.get('nodeClass', '')}: {why}")


def _zones(draft: Draft, pools: Sequence[NodePool]) -> tuple[str, ...]:
    """Zones that pools require, then those of the nodes."""
    required = [
        zone
        for pool in pools
        for each in pool.requirements
        if each.key == ZONE_LABEL and each.operator is RequirementWord.IN
        for zone in each.values
    ]
    seen = [node.labels[ZONE_LABEL] for node in draft.nodes if ZONE_LABEL in node.labels]
    return tuple(dict.fromkeys(required + sorted(seen)))
