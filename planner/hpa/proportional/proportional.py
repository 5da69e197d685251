"""cluster-proportional-autoscaler 1.9: replicas from the size of the cluster, linear and ladder.

No smoothing, no tolerance, no rate limit: each poll writes the computed number if it differs.
"""

import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple

_INT64 = 1 << 63
MOST_REPLICAS = (1 << 31) - 1
"""Replicas are int32; what a tiny ratio asks for beyond that is cut."""


class ProportionalErrorCode(StrEnum):
    """Why parameters give no number, in the order of the tests."""

    PARSE_ERROR = "ParseError"
    NEGATIVE_MIN = "NegativeMin"
    MAX_BELOW_MIN = "MaxBelowMin"
    NO_RATIO = "NoRatio"
    NEGATIVE_CORES = "NegativeCores"
    NEGATIVE_NODES = "NegativeNodes"
    NEGATIVE_ENTRY = "NegativeEntry"


class ProportionalFailed(Exception):
    """The poll ends without writing a number."""

    def __init__(self, code: ProportionalErrorCode) -> None:
        self.code = code
        super().__init__(code.value)


class CountedNode(NamedTuple):
    """What is counted of a node. Taints do not matter."""

    allocatable_milli: int | Fraction
    """Milli-CPU, exact: rounding comes after summing."""
    ready: bool
    unschedulable: bool


class ClusterSize(NamedTuple):
    """Nodes and whole cores, all of them and the schedulable ones."""

    total_nodes: int
    schedulable_nodes: int
    total_cores: int
    schedulable_cores: int


@dataclass(frozen=True, slots=True)
class LinearParams:
    """Parameters of the linear mode; a ratio of 0 is absent, a maximum of 0 is none."""

    cores_per_replica: float = 0.0
    nodes_per_replica: float = 0.0
    min: int = 1
    max: int = 0
    prevent_single_point_failure: bool = False
    include_unschedulable_nodes: bool = False


@dataclass(frozen=True, slots=True)
class LadderParams:
    """Parameters of the ladder mode: (threshold, replicas), sorted by threshold."""

    cores_to_replicas: tuple[tuple[int, int], ...] = ()
    nodes_to_replicas: tuple[tuple[int, int], ...] = ()
    include_unschedulable_nodes: bool = False


def cluster_size(nodes: Sequence[CountedNode]) -> ClusterSize:
    """Count nodes and cores. Cores are rounded up once, after summing."""
    usable = [node for node in nodes if node.ready and not node.unschedulable]
    return ClusterSize(len(nodes), len(usable), _cores(nodes), _cores(usable))


def linear_replicas(params: LinearParams, size: ClusterSize) -> int:
    """The larger of what cores and nodes ask for. The single-point test comes after `max`; never 0."""
    nodes, cores = _counted(size, params.include_unschedulable_nodes)
    from_cores = _linear_part(cores, params.cores_per_replica, params)
    from_nodes = _linear_part(nodes, params.nodes_per_replica, params)
    if params.prevent_single_point_failure and nodes > 1:
        from_nodes = max(from_nodes, 2)
    return max(from_cores, from_nodes)


def ladder_replicas(params: LadderParams, size: ClusterSize) -> int:
    """The larger of the steps of cores and nodes; may be 0."""
    nodes, cores = _counted(size, params.include_unschedulable_nodes)
    return max(_step(cores, params.cores_to_replicas), _step(nodes, params.nodes_to_replicas))


def proportional_replicas(mode: str, text: str, size: ClusterSize) -> int:
    """Replicas from the JSON text of the ConfigMap entry `linear` or `ladder`. Raises ProportionalFailed."""
    fields = _object(text)
    if mode == "linear":
        return linear_replicas(parse_linear(fields), size)
    if mode == "ladder":
        return ladder_replicas(parse_ladder(fields), size)
    raise ProportionalFailed(ProportionalErrorCode.PARSE_ERROR)


def parse_linear(fields: dict[str, Any]) -> LinearParams:
    """Check and read linear parameters by lower-case names. Raises ProportionalFailed."""
    params = LinearParams(
        cores_per_replica=_number(fields, "coresPerReplica"),
        nodes_per_replica=_number(fields, "nodesPerReplica"),
        min=_whole(fields.get("min")),
        max=_whole(fields.get("max")),
        prevent_single_point_failure=_flag(fields, "preventSinglePointFailure"),
        include_unschedulable_nodes=_flag(fields, "includeUnschedulableNodes"),
    )
    return checked_linear(params)


def checked_linear(params: LinearParams) -> LinearParams:
    """The parameters with a minimum of at least 1. Raises ProportionalFailed."""
    minimum = params.min or 1
    if params.min < 0:
        raise ProportionalFailed(ProportionalErrorCode.NEGATIVE_MIN)
    if 0 < params.max < minimum:
        raise ProportionalFailed(ProportionalErrorCode.MAX_BELOW_MIN)
    if params.cores_per_replica == 0 and params.nodes_per_replica == 0:
        raise ProportionalFailed(ProportionalErrorCode.NO_RATIO)
    if params.cores_per_replica < 0:
        raise ProportionalFailed(ProportionalErrorCode.NEGATIVE_CORES)
    if params.nodes_per_replica < 0:
        raise ProportionalFailed(ProportionalErrorCode.NEGATIVE_NODES)
    return LinearParams(
        params.cores_per_replica,
        params.nodes_per_replica,
        minimum,
        params.max,
        params.prevent_single_point_failure,
        params.include_unschedulable_nodes,
    )


def parse_ladder(fields: dict[str, Any]) -> LadderParams:
    """Check and read ladder parameters by lower-case names. Raises ProportionalFailed."""
    params = LadderParams(
        cores_to_replicas=_entries(fields, "coresToReplicas"),
        nodes_to_replicas=_entries(fields, "nodesToReplicas"),
        include_unschedulable_nodes=_flag(fields, "includeUnschedulableNodes"),
    )
    if any(number < 0 for entry in (*params.cores_to_replicas, *params.nodes_to_replicas) for number in entry):
        raise ProportionalFailed(ProportionalErrorCode.NEGATIVE_ENTRY)
    return params


def _counted(size: ClusterSize, include_unschedulable: bool) -> tuple[int, int]:
    if include_unschedulable:
        return size.total_nodes, size.total_cores
    return size.schedulable_nodes, size.schedulable_cores


def _cores(nodes: Sequence[CountedNode]) -> int:
    return -(-sum(node.allocatable_milli for node in nodes) // 1000)


def _linear_part(amount: int, per_replica: float, params: LinearParams) -> int:
    if per_replica == 0:
        return 1
    replicas = math.ceil(min(amount / per_replica, MOST_REPLICAS))
    if params.max > 0:
        replicas = min(params.max, replicas)
    return max(params.min, replicas)


def _step(amount: int, entries: tuple[tuple[int, int], ...]) -> int:
    if not entries:
        return 0
    reached = [replicas for threshold, replicas in entries if threshold <= amount]
    return reached[-1] if reached else entries[0][1]


def _object(text: str) -> dict[str, Any]:
    """The fields of a JSON object by lower-case name, as the tool reads them: any case, the last one wins."""
    try:
        value = json.loads(text, object_pairs_hook=_any_case, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise ProportionalFailed(ProportionalErrorCode.PARSE_ERROR) from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ProportionalFailed(ProportionalErrorCode.PARSE_ERROR)
    return value


def _any_case(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A field that is null leaves what an earlier one of its name set."""
    return {name.lower(): value for name, value in pairs if value is not None}


def _refuse(constant: str) -> float:
    """NaN and Infinity are no JSON."""
    raise ValueError(constant)


def _number(fields: dict[str, Any], name: str) -> float:
    value = fields.get(name.lower(), 0.0)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value) > sys.float_info.max:
        raise ProportionalFailed(ProportionalErrorCode.PARSE_ERROR)
    return float(value)


def _whole(value: Any) -> int:
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int) or not -_INT64 <= value < _INT64:
        raise ProportionalFailed(ProportionalErrorCode.PARSE_ERROR)
    return value


def _flag(fields: dict[str, Any], name: str) -> bool:
    value = fields.get(name.lower(), False)
    if not isinstance(value, bool):
        raise ProportionalFailed(ProportionalErrorCode.PARSE_ERROR)
    return value


def _entries(fields: dict[str, Any], name: str) -> tuple[tuple[int, int], ...]:
    """Pairs sorted by threshold; a missing number is 0, those after the second are not looked at."""
    entries = fields.get(name.lower(), [])
    if not isinstance(entries, list) or not all(entry is None or isinstance(entry, list) for entry in entries):
        raise ProportionalFailed(ProportionalErrorCode.PARSE_ERROR)
    pairs = [[_whole(number) for number in [*(entry or ()), 0, 0][:2]] for entry in entries]
    return tuple(sorted(((pair[0], pair[1]) for pair in pairs), key=lambda pair: pair[0]))
