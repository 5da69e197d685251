"""The cluster of a Karpenter case: objects of the API become the views that a run makes of its tables."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from planner.engine.draws import Draws
from planner.karpenter.budget_view import BudgetView
from planner.karpenter.cluster_view import ClusterView, NodeView
from planner.karpenter.control.lots import DomainLots
from planner.karpenter.pod_view import PodView
from planner.karpenter.pods.annotations import deletion_cost, keeps_node
from planner.karpenter.pods.volumes import volume_alternatives
from planner.karpenter.provider import KarpenterProvider
from planner.karpenter.provisioning.scheduling_round import first
from planner.karpenter.requirements.requirement import requirement
from planner.karpenter.requirements.requirements import (
    CAPACITY_TYPE_LABEL,
    NODE_POOL_LABEL,
    Requirements,
    of_pairs,
)
from planner.karpenter.topology.groups import Choice
from planner.kube.files.field import Field
from planner.kube.kinds.karpenter import node_pool as node_pool_kind
from planner.kube.pods.pod_terms import label_selector
from planner.matching.taints import NodeTaint, TaintEffect
from planner.plan.model.karpenter.machine_types import MachineType
from planner.plan.model.karpenter.node_pools import NodePool
from planner.plan.model.karpenter.settings import KarpenterSettings
from planner.plan.model.node_groups import ZONE_LABEL
from planner.plan.model.pods.placement import LabelSelector
from planner.simulation.compile.karpenter import compile_catalogue, compile_pool, round_settings
from planner.state.resources import ResourceAxis
from planner.state.specs import HOSTNAME_LABEL, PodSpec
from planner.units import US_PER_S, parse_count, parse_cpu_milli, parse_duration_us
from tests.conformance.cluster_autoscaler.world import resource_axis
from tests.conformance.imported import HERE, compiled_pod, imported_parts
from tests.conformance.object_status import controller_of

Json = dict[str, Any]
Outcome = tuple[bool, object]
MOST_LOTS = 8
PROVIDER_LABELS = tuple(
    f"cloud.example/{name}"
    for name in (
        "instance-family",
        "instance-size",
        "instance-cpu",
        "instance-memory",
        "instance-generation",
        "gpu-count",
    )
)
EPOCH = datetime(2000, 1, 2, tzinfo=UTC)
DO_NOT_DISRUPT = "karpenter.sh/do-not-disrupt"
DELETION_COST = "controller.kubernetes.io/pod-deletion-cost"
BOUND = "pv.kubernetes.io/bind-completed"


def at_us(seconds: float) -> int:
    """A time of a case."""
    return round(seconds * US_PER_S)


def stamp_us(stamp: str | None, default_s: float = -60) -> int:
    """A time stamp of an object."""
    if stamp is None:
        return at_us(default_s)
    return round((datetime.fromisoformat(stamp.replace("Z", "+00:00")) - EPOCH).total_seconds()) * US_PER_S


def plan_pool(manifest: Json) -> NodePool:
    """A NodePool on its way through the import."""
    (part,) = imported_parts(node_pool_kind, node_pool_kind.SECTION, [manifest])
    return NodePool.model_validate(part)


def plan_machine(given: Json) -> MachineType:
    """A type of the catalogue as a plan has it."""
    capacity, overhead = given["capacity"], given.get("overhead") or {}
    native = ("cpu", "memory", "pods", "ephemeral-storage")
    return MachineType.model_validate(
        {
            "name": given["name"],
            "cpu": capacity["cpu"],
            "memory": capacity["memory"],
            "pods": parse_count(capacity["pods"]),
            "ephemeralStorage": capacity.get("ephemeral-storage", "0"),
            "extended": {name: parse_count(text) for name, text in capacity.items() if name not in native},
            "reservedCpu": overhead.get("cpu", "0"),
            "reservedMemory": overhead.get("memory", "0"),
            "reservedStorage": overhead.get("ephemeral-storage", "0"),
            "architecture": given["arch"],
            "labels": given.get("labels") or {},
            "offerings": given["offerings"],
        }
    )


def settings_of(given: Json) -> KarpenterSettings:
    """The flags of a case."""
    return KarpenterSettings.model_validate(given.get("options") or {})


def by_luck(run: Callable[[Json, Choice], Outcome]) -> Callable[[Json], Outcome]:
    """A case agrees if some luck gives a recorded outcome: the first of equal domains, or what a run would draw."""

    def ask(case: Json) -> Outcome:
        outcome = run(case, first)
        for seed in range(MOST_LOTS):
            if outcome[0]:
                break
            outcome = run(case, DomainLots(Draws(seed)).choose)
        return outcome

    return ask


class CaseCluster:
    """Views of a case's nodes and pods."""

    def __init__(self, given: Json, choice: Choice = first) -> None:
        self.given = given
        self.axis: ResourceAxis = resource_axis(given)
        self.settings = settings_of(given)
        self.catalogue = compile_catalogue(
            [plan_machine(each) for each in given.get("instanceTypes") or ()], self.axis, PROVIDER_LABELS
        )
        self.pools = [compile_pool(plan_pool(each)) for each in given["nodePools"]]
        self.provider = KarpenterProvider(self.axis, self.pools, self.catalogue, round_settings(self.settings), choice)
        self.specs: dict[str, PodSpec] = {}
        self.set_of: dict[int, str] = {}
        self.volumes_of: dict[str, tuple[Requirements, ...] | None] = {}
        self.pending: list[PodView] = []
        self._on_node: dict[str, list[PodView]] = {}
        for entry in given.get("pods") or ():
            self._add_pods(entry)
        self.pending.sort(key=lambda pod: pod.uid)
        self.nodes = [self._node(node) for node in given.get("nodes") or ()]

    def view(self) -> ClusterView:
        """The cluster as rules see it."""
        daemons = {each["metadata"]["name"]: self._daemon(each) for each in self.given.get("daemonSets") or ()}
        owners = (controller_of(entry["pod"]) for entry in self.given.get("pods") or ())
        running = {owner["name"] for owner in owners if owner and owner["kind"] == "DaemonSet"}
        return ClusterView(
            self.nodes,
            self.pending,
            list(daemons.values()),
            [budget_view(each) for each in self.given.get("podDisruptionBudgets") or ()],
            {
                each["metadata"]["name"]: each["metadata"].get("labels") or {}
                for each in self.given.get("namespaces") or ()
            },
            bare_daemons=frozenset(spec.index for name, spec in daemons.items() if name not in running),
        )

    # -- pods ---------------------------------------------------------------------------------

    def spec_of(self, name: str, pod: Json) -> PodSpec:
        """The compiled template of a set of pods."""
        if name not in self.specs:
            plain = {key: value for key, value in pod["spec"].items() if key != "priority"}
            made = compiled_pod({**pod, "spec": plain}, len(self.specs), self.axis)
            owner = controller_of(pod)
            is_daemon = owner is not None and owner["kind"] == "DaemonSet"
            priority = pod["spec"].get("priority", 0)
            self.specs[name] = replace(made, is_daemon=is_daemon, priority=priority)
        return self.specs[name]

    def _daemon(self, daemon: Json) -> PodSpec:
        """Its running pods if there are any, else its template."""
        meta = daemon["metadata"]
        running = next(
            (
                entry["pod"]
                for entry in self.given.get("pods") or ()
                if (owner := controller_of(entry["pod"]))
                and (owner["kind"], owner["name"]) == ("DaemonSet", meta["name"])
            ),
            None,
        )
        template = daemon["spec"]["template"]
        pod = running or {
            "metadata": {**template.get("metadata", {}), "namespace": meta.get("namespace")},
            "spec": template["spec"],
        }
        affinity = template["spec"].get("affinity")
        spec = {key: value for key, value in pod["spec"].items() if key != "affinity"}
        made = {**pod, "spec": {**spec, **({"affinity": affinity} if affinity else {})}}
        made["metadata"] = {**made["metadata"], "name": meta["name"]}
        return replace(self.spec_of(f"daemon {meta['name']}", made), is_daemon=True)

    def _add_pods(self, entry: Json) -> None:
        pod = entry["pod"]
        name = pod["metadata"]["name"]
        volumes = self._volumes(pod)
        nodes = entry.get("nodes") or []
        for copy in range(entry.get("count", 1)):
            node = nodes[copy] if copy < len(nodes) else None
            if node is None and volumes is None:
                continue
            full = f"{name}-{copy:03d}" if "count" in entry else name
            view = self.pod_view(name, full, pod, volumes or ())
            if node is None:
                self.pending.append(view)
            else:
                self._on_node.setdefault(node, []).append(view)

    def pod_view(self, set_name: str, name: str, pod: Json, volumes: tuple[Requirements, ...] = ()) -> PodView:
        """One pod of a set."""
        meta = pod["metadata"]
        annotations = meta.get("annotations") or {}
        owner = controller_of(pod)
        row = len(self.set_of)
        self.set_of[row] = set_name
        created = stamp_us(meta.get("creationTimestamp"))
        return PodView(
            row=row,
            uid=f"{meta.get('namespace') or 'default'}/{name}",
            spec=self.spec_of(set_name, pod),
            created_us=created,
            keeps_node=keeps_node(annotations[DO_NOT_DISRUPT], created, 0) if DO_NOT_DISRUPT in annotations else False,
            deletion_cost=deletion_cost(annotations.get(DELETION_COST, "0")),
            is_stateful=owner is not None and owner["kind"] == "StatefulSet",
            volumes=volumes,
        )

    def _volumes(self, pod: Json) -> tuple[Requirements, ...] | None:
        """Alternatives of its volumes; None for a pod that waits for its claims."""
        places = []
        namespace = pod["metadata"].get("namespace") or "default"
        claims = {
            (c["metadata"].get("namespace") or "default", c["metadata"]["name"]): c
            for c in self.given.get("persistentVolumeClaims") or ()
        }
        for volume in pod["spec"].get("volumes") or ():
            name = (volume.get("persistentVolumeClaim") or {}).get("claimName")
            if name is None:
                continue
            claim = claims.get((namespace, name))
            found = None if claim is None else self._places(claim)
            if found is None:
                return None
            places.append(found)
        return volume_alternatives(places)

    def _places(self, claim: Json) -> list[Requirements] | None:
        spec = claim["spec"]
        if spec.get("volumeName"):
            volume = _named(self.given.get("persistentVolumes"), spec["volumeName"])
            if volume is None or BOUND not in (claim["metadata"].get("annotations") or {}):
                return None
            required = (volume["spec"].get("nodeAffinity") or {}).get("required") or {}
            return [_expressions(term["matchExpressions"]) for term in required.get("nodeSelectorTerms") or ()]
        kind = _named(self.given.get("storageClasses"), spec.get("storageClassName"))
        if kind is None or kind.get("volumeBindingMode") == "Immediate":
            return None
        terms = kind.get("allowedTopologies") or ()
        return [_expressions([{**e, "operator": "In"} for e in term["matchLabelExpressions"]]) for term in terms]

    # -- nodes --------------------------------------------------------------------------------

    def _node(self, node: Json) -> NodeView:
        name, pods = node["name"], tuple(self._on_node.get(node["name"], ()))
        taints = read_taints(node.get("taints"))
        if "nodePool" not in node:
            allocatable = self._amounts(node["allocatable"])
            labels = {HOSTNAME_LABEL: name, **(node.get("labels") or {})}
            return NodeView(name, labels, taints, allocatable, allocatable, pods=pods)
        pool = next(pool for pool in self.pools if pool.name == node["nodePool"])
        number = self.catalogue.number_of(node["instanceType"])
        assert number is not None
        machine = self.catalogue.types[number]
        stage = node.get("stage", "initialized")
        labels = {
            **machine.labels,
            ZONE_LABEL: node["zone"],
            CAPACITY_TYPE_LABEL: node["capacityType"],
            HOSTNAME_LABEL: name,
            NODE_POOL_LABEL: pool.name,
            **pool.labels,
            **(node.get("labels") or {}),
        }
        return NodeView(
            name=name,
            labels=labels,
            taints=(*pool.taints, *taints),
            capacity=machine.capacity,
            allocatable=machine.allocatable,
            pool=pool.name,
            startup_taints=pool.startup_taints,
            created_us=at_us(node["created"]),
            is_registered=stage != "launched",
            is_initialized=stage == "initialized",
            is_ready=not node.get("notReady"),
            is_going=bool(node.get("deleting")),
            is_nominated=bool(node.get("nominated")),
            keeps_itself=(node.get("annotations") or {}).get(DO_NOT_DISRUPT) == "true",
            is_consolidatable=stage == "initialized" and not node.get("notConsolidatable"),
            drifted_us=None if node.get("drifted") is None else at_us(node["drifted"]),
            expire_after_us=_lifetime(node["expireAfter"]) if "expireAfter" in node else pool.expire_after_us,
            termination_grace_us=_lifetime(node["terminationGracePeriod"])
            if "terminationGracePeriod" in node
            else pool.termination_grace_us,
            pods=pods,
        )

    def _amounts(self, quantities: Mapping[str, str]) -> Any:
        return self.axis.amounts(
            {name: parse_cpu_milli(text) if name == "cpu" else parse_count(text) for name, text in quantities.items()}
        )


def _lifetime(text: str) -> int | None:
    return None if text == "Never" else parse_duration_us(text)


def read_taints(taints: Iterable[Json] | None) -> tuple[NodeTaint, ...]:
    """Taints of an object."""
    return tuple(NodeTaint(t["key"], t.get("value") or "", TaintEffect(t["effect"])) for t in taints or ())


def budget_view(budget: Json) -> BudgetView:
    """A disruption budget of pods with its status."""
    spec = budget["spec"]
    selector = label_selector(Field(spec.get("selector"), HERE))
    return BudgetView(
        budget["metadata"].get("namespace") or "default",
        budget["metadata"]["name"],
        LabelSelector.model_validate(selector or {}),
        (budget.get("status") or {}).get("disruptionsAllowed", 0),
        spec.get("maxUnavailable") in (0, "0%", "0") or spec.get("minAvailable") == "100%",
        spec.get("unhealthyPodEvictionPolicy") == "AlwaysAllow",
    )


def _named(objects: Sequence[Json] | None, name: str | None) -> Json | None:
    return next((each for each in objects or () if each["metadata"]["name"] == name), None)


def _expressions(expressions: Iterable[Json]) -> Requirements:
    return of_pairs((each["key"], requirement(each["operator"], each.get("values") or ())) for each in expressions)
