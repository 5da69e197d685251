"""What the status and metadata of API objects say and a plan cannot: states of pods, budgets as last written."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from planner.kube.draft.draft import Draft
from planner.kube.files.field import Field
from planner.kube.files.source import Source
from planner.kube.kinds.cluster import pod_disruption_budget
from planner.matching.selectors import selector_matches
from planner.plan.model.budgets import PodDisruptionBudget
from planner.state.cluster import Cluster
from planner.units import US_PER_S
from planner.workloads.controllers.victim_order import VictimFacts, VictimPhase
from planner.workloads.disruption.budgets import BudgetRule, BudgetStatus

Json = Mapping[str, Any]

_PHASES = {"Pending": VictimPhase.PENDING, "Unknown": VictimPhase.UNKNOWN, "Running": VictimPhase.RUNNING}
_COST = re.compile(r"(?:0|[1-9][0-9]*|-[0-9]+)\Z")
_INT32 = 1 << 31


def time_s(text: str | None) -> int | None:
    """An RFC 3339 time as whole seconds since 1970; None where it is not set."""
    if not text:
        return None
    return int(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())


def phase_of(pod: Json) -> str:
    """status.phase, empty where it is not set."""
    return str((pod.get("status") or {}).get("phase") or "")


def is_terminal(pod: Json) -> bool:
    """Failed, or succeeded and never started again."""
    again = pod["spec"].get("restartPolicy", "Always") == "Always"
    return phase_of(pod) == "Failed" or (phase_of(pod) == "Succeeded" and not again)


def is_deleting(pod: Json) -> bool:
    """Whether the pod carries a deletion time."""
    return bool(pod["metadata"].get("deletionTimestamp"))


def is_active(pod: Json) -> bool:
    """Neither finished nor being deleted."""
    return phase_of(pod) not in ("Succeeded", "Failed") and not is_deleting(pod)


def is_ready(pod: Json) -> bool:
    """Whether the condition Ready is True."""
    return bool(_ready_condition(pod).get("status") == "True")


def controller_of(pod: Json) -> Json | None:
    """The owner reference that controls the pod."""
    owners = [ref for ref in pod["metadata"].get("ownerReferences") or () if ref.get("controller")]
    return owners[0] if owners else None


def victim_facts(pod: Json, colocated: int) -> VictimFacts:
    """What the ReplicaSet controller reads of a pod."""
    meta, spec, status = pod["metadata"], pod.get("spec") or {}, pod.get("status") or {}
    sidecars = [one["name"] for one in spec.get("initContainers") or () if one.get("restartPolicy") == "Always"]
    inits = [one for one in status.get("initContainerStatuses") or () if one["name"] in sidecars]
    return VictimFacts(
        uid=meta.get("uid") or "",
        assigned=bool(spec.get("nodeName")),
        phase=_PHASES.get(phase_of(pod), VictimPhase.PENDING),
        ready=is_ready(pod),
        ready_since_s=time_s(_ready_condition(pod).get("lastTransitionTime")) if is_ready(pod) else None,
        created_s=time_s(meta.get("creationTimestamp")),
        colocated=colocated,
        deletion_cost=_deletion_cost(meta.get("annotations") or {}),
        restarts=_most_restarts(status.get("containerStatuses") or ()),
        sidecar_restarts=_most_restarts(inits),
    )


def _ready_condition(pod: Json) -> Json:
    conditions: Sequence[Json] = (pod.get("status") or {}).get("conditions") or ()
    return next((one for one in conditions if one.get("type") == "Ready"), {})


def _deletion_cost(annotations: Mapping[str, str]) -> int:
    """0 if the annotation is missing or no 32-bit integer (+5, 007 and 1e3 are none)."""
    text = annotations.get("controller.kubernetes.io/pod-deletion-cost", "")
    cost = int(text) if _COST.match(text) else 0
    return cost if -_INT32 <= cost < _INT32 else 0


def _most_restarts(statuses: Iterable[Json]) -> int:
    return max((entry.get("restartCount") or 0 for entry in statuses), default=0)


class KnownBudget:
    """A PodDisruptionBudget as a plan holds it, with the status that was written last."""

    def __init__(self, manifest: Json) -> None:
        self.name: str = manifest["metadata"]["name"]
        self.plan = _imported(manifest)
        """The budget of the plan; None for one without selector, which covers nothing."""
        self.rule = BudgetRule() if self.plan is None else _rule(self.plan, manifest.get("spec") or {})
        self.status = _written_status(manifest)

    def covers(self, namespace: str, labels: Mapping[str, str]) -> bool:
        """Whether pods with such labels are covered."""
        plan = self.plan
        return plan is not None and plan.namespace == namespace and selector_matches(plan.selector, labels)

    def covers_pod(self, pod: Json) -> bool:
        """Whether the pod is covered."""
        return self.covers(pod["metadata"].get("namespace") or "default", pod["metadata"].get("labels") or {})


class WrittenBudgets:
    """Disruption budgets whose controller wrote its status before the first loop."""

    def __init__(self, cluster: Cluster, budgets: list[KnownBudget]) -> None:
        self._cluster = cluster
        self._budgets = budgets

    def covering(self, pod: int) -> tuple[int, ...]:
        """Rows of the budgets that select a pod."""
        spec = self._cluster.pod_specs[self._cluster.pods.spec[pod]]
        return tuple(row for row, budget in enumerate(self._budgets) if budget.covers(spec.namespace, spec.labels))

    def allowed(self) -> list[int]:
        """What the status says."""
        return [budget.status.disruptions_allowed for budget in self._budgets]


def _imported(manifest: Json) -> PodDisruptionBudget | None:
    draft = Draft()
    pod_disruption_budget.read(Field(manifest, Source("vector", 1)), draft)
    parts = [part for _, part in draft.lists.get("podDisruptionBudgets", [])]
    if not parts:
        return None
    try:
        return PodDisruptionBudget.model_validate(parts[0])
    except ValidationError:
        return PodDisruptionBudget.model_validate({**parts[0], "minAvailable": None, "maxUnavailable": None})


def _rule(budget: PodDisruptionBudget, spec: Json) -> BudgetRule:
    """The rule of a run; a budget without portion, or with one that no plan accepts, keeps what the object says."""
    rule, given = BudgetRule.of(budget), (spec.get("minAvailable"), spec.get("maxUnavailable"))
    return rule if given == (rule.min_available, rule.max_unavailable) else BudgetRule(*given, rule.unhealthy_policy)


def _written_status(manifest: Json) -> BudgetStatus:
    meta, status = manifest["metadata"], manifest.get("status") or {}
    return BudgetStatus(
        current_healthy=status.get("currentHealthy") or 0,
        desired_healthy=status.get("desiredHealthy") or 0,
        expected_pods=status.get("expectedPods") or 0,
        disruptions_allowed=status.get("disruptionsAllowed") or 0,
        disrupted_us={
            name: (time_s(text) or 0) * US_PER_S for name, text in (status.get("disruptedPods") or {}).items()
        },
        is_current=(status.get("observedGeneration") or 0) >= (meta.get("generation") or 0),
    )
