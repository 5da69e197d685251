"""The parameters of a proportional autoscaler, read from JSON as the tool does.

cluster-proportional-autoscaler 1.9, linearcontroller and laddercontroller, parseParams: names in any case, null for
nothing, whole numbers without a fraction.
"""

import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from planner.kube.draft.draft import Part, given
from planner.language.translation import marked, tr
from planner.plan.model.autoscalers.proportional_autoscaler import ParameterFault, linear_fault

MODES = ("linear", "ladder")
_INT64 = 1 << 63
_STEPS = ("coresToReplicas", "nodesToReplicas")
_SENTENCES: Mapping[ParameterFault, str] = MappingProxyType(
    {
        ParameterFault.PARSE_ERROR: marked("The parameters cannot be read: a value has the wrong type."),
        ParameterFault.NEGATIVE_MIN: marked("min is negative."),
        ParameterFault.MAX_BELOW_MIN: marked("max is below min."),
        ParameterFault.NO_RATIO: marked("Neither coresPerReplica nor nodesPerReplica is given."),
        ParameterFault.NEGATIVE_CORES: marked("coresPerReplica is negative."),
        ParameterFault.NEGATIVE_NODES: marked("nodesPerReplica is negative."),
        ParameterFault.NEGATIVE_ENTRY: marked("A step has a negative number."),
    }
)


class UnusableParameters(Exception):
    """The tool would end every poll with an error; the text is a sentence."""

    def __init__(self, fault: ParameterFault) -> None:
        super().__init__(tr(_SENTENCES[fault]))
        self.fault = fault


def read_parameters(mode: str, value: Any) -> Part:
    """The mode in the plan's spelling, from the JSON value of its entry. Raises UnusableParameters."""
    if not isinstance(value, dict | None):
        raise UnusableParameters(ParameterFault.PARSE_ERROR)
    fields = {name.lower(): part for name, part in (value or {}).items() if part is not None}
    return {"type": mode} | (_linear(fields) if mode == "linear" else _ladder(fields))


def _linear(fields: Mapping[str, Any]) -> Part:
    cores, nodes = _number(fields, "coresPerReplica"), _number(fields, "nodesPerReplica")
    minimum, maximum = _whole(fields.get("min")), _whole(fields.get("max"))
    protects, counts_all = _flag(fields, "preventSinglePointFailure"), _flag(fields, "includeUnschedulableNodes")
    fault = linear_fault(minimum, maximum, cores, nodes)
    if fault is not None:
        raise UnusableParameters(fault)
    return given(
        cores_per_replica=cores,
        nodes_per_replica=nodes,
        min=minimum,
        max=maximum,
        prevent_single_point_failure=protects or None,
        include_unschedulable_nodes=counts_all or None,
    )


def _ladder(fields: Mapping[str, Any]) -> Part:
    steps = {name: _steps(fields, name) for name in _STEPS}
    counts_all = _flag(fields, "includeUnschedulableNodes")
    if any(number < 0 for found in steps.values() for step in found for number in step.values()):
        raise UnusableParameters(ParameterFault.NEGATIVE_ENTRY)
    return {name: found for name, found in steps.items() if found} | given(
        include_unschedulable_nodes=counts_all or None
    )


def _number(fields: Mapping[str, Any], name: str) -> float:
    value = fields.get(name.lower(), 0.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > sys.float_info.max:
        raise UnusableParameters(ParameterFault.PARSE_ERROR)
    return float(value)


def _whole(value: Any) -> int:
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int) or not -_INT64 <= value < _INT64:
        raise UnusableParameters(ParameterFault.PARSE_ERROR)
    return value


def _flag(fields: Mapping[str, Any], name: str) -> bool:
    value = fields.get(name.lower(), False)
    if not isinstance(value, bool):
        raise UnusableParameters(ParameterFault.PARSE_ERROR)
    return value


def _steps(fields: Mapping[str, Any], name: str) -> list[dict[str, int]]:
    """Pairs of threshold and replicas; a missing number is 0, those after the second are dropped."""
    entries = fields.get(name.lower(), [])
    if not isinstance(entries, list) or not all(isinstance(entry, list | None) for entry in entries):
        raise UnusableParameters(ParameterFault.PARSE_ERROR)
    pairs = [[_whole(number) for number in [*(entry or ()), 0, 0][:2]] for entry in entries]
    return [{"threshold": threshold, "replicas": replicas} for threshold, replicas in pairs]
