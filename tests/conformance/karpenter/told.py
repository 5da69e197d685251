"""Results of Karpenter's rules in the words of its vectors."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from planner.karpenter.failures import Failure
from planner.karpenter.provisioning.new_claims import NewClaim
from planner.karpenter.provisioning.scheduling_round import RoundResult
from planner.karpenter.requirements.requirement import LabelRequirement, RequirementOperator
from planner.karpenter.requirements.requirements import NODE_POOL_LABEL, Requirements
from planner.units import parse_count, parse_cpu_milli
from tests.conformance.karpenter.world import CaseCluster

Json = dict[str, Any]

CODES = {
    Failure.TAINT: "taint",
    Failure.HOST_PORT: "hostPort",
    Failure.REQUIREMENTS: "requirements",
    Failure.VOLUME: "volume",
    Failure.SPREAD: "topologySpread",
    Failure.AFFINITY: "podAffinity",
    Failure.ANTI_AFFINITY: "podAntiAffinity",
    Failure.TOPOLOGY: "topologyRequirements",
    Failure.MIN_VALUES: "minValues",
    Failure.LIMITS: "limits",
    Failure.NODE_LIMIT: "nodeLimits",
    Failure.NO_TEMPLATES: "noTemplates",
    Failure.NO_TYPE_WITH_ANY: "types:requirements|resources|offering",
    Failure.NO_REQUIREMENTS_NO_ROOM: "types:requirements|resources",
    Failure.NO_REQUIREMENTS_NO_OFFERING: "types:requirements|offering",
    Failure.NO_ROOM_NO_OFFERING: "types:resources|offering",
    Failure.NO_REQUIREMENTS: "types:requirements",
    Failure.NO_ROOM: "types:resources",
    Failure.NO_OFFERING: "types:offering",
    Failure.NO_OFFERING_OF_SUITABLE: "types:requirements+resources,offering",
    Failure.NO_REQUIREMENTS_OF_LARGE: "types:resources+offering,requirements",
    Failure.NO_ROOM_OF_OFFERED: "types:requirements+offering,resources",
    Failure.NO_TYPE_WITH_ALL: "types:tuple",
}
HIDDEN_KEYS = (NODE_POOL_LABEL, "kubernetes.io/hostname")


def entries(requirements: Requirements, hidden: Iterable[str] = HIDDEN_KEYS) -> list[Json]:
    """Requirements as a NodeClaim has them."""
    return [entry for key in sorted(requirements) if key not in hidden for entry in _entries(key, requirements[key])]


def _entries(key: str, each: LabelRequirement) -> list[Json]:
    extra = {} if each.min_values is None else {"minValues": each.min_values}
    bounds = [("Gte", each.gte), ("Lte", each.lte)]
    found = [{"key": key, "operator": op, "values": [str(n)], **extra} for op, n in bounds if n is not None]
    if found:
        return found
    entry: Json = {"key": key, "operator": each.operator.value, **extra}
    if each.operator in (RequirementOperator.IN, RequirementOperator.NOT_IN):
        entry["values"] = list(each.values)
    return [entry]


def amounts_text(quantities: Mapping[str, str]) -> dict[str, int]:
    """Quantities by value, without those that are zero."""
    found = {name: parse_cpu_milli(t) if name == "cpu" else parse_count(t) for name, t in quantities.items()}
    return {name: value for name, value in found.items() if value}


class Told:
    """Results in the words of the cases."""

    def __init__(self, case: CaseCluster) -> None:
        self.case = case

    def counts(self, pods: Iterable[Any]) -> dict[str, int]:
        return dict(sorted(Counter(self.case.set_of[pod.row] for pod in pods).items()))

    def amounts(self, amounts: Any) -> dict[str, int]:
        names = self.case.axis.names
        return {name: int(value) for name, value in zip(names, amounts, strict=True) if value}

    def claim(self, claim: NewClaim) -> Json:
        told: Json = {
            "nodePool": claim.pool.name,
            "requirements": entries(claim.requirements),
            "instanceTypes": [self.case.catalogue.types[number].name for number in claim.types],
            "pods": self.counts(claim.pods),
            "requests": self.amounts(claim.requests),
        }
        if claim.min_values_lowered:
            told["minValuesRelaxed"] = True
        return told

    def existing(self, result: RoundResult) -> Json:
        return {node: self.counts(pods) for node, pods in result.placed.items()}

    def unschedulable(self, result: RoundResult) -> list[Json]:
        found = Counter(
            (self.case.set_of[pod.row], tuple(sorted({CODES[code] for code in codes})))
            for pod, codes in result.failures
        )
        return [{"set": name, "count": count, "codes": list(codes)} for (name, codes), count in sorted(found.items())]


def claim_expected(claim: Json) -> Json:
    """A recorded claim with quantities by value."""
    return {**claim, "requests": amounts_text(claim["requests"])}


def unordered(items: Iterable[Any]) -> list[str]:
    """Items in an order of their own."""
    return sorted(map(_text, items))


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{key}:{_text(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_text, value)) + "]"
    if isinstance(value, float):
        return f"{value:.9g}"
    return repr(value)


def close(one: float, other: float) -> bool:
    """Prices and costs."""
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
