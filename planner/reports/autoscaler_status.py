"""The status of the Cluster Autoscaler as a table: a row per group, and one for the cluster, whenever it changed."""

from collections.abc import Iterator

from planner.record.autoscaler_status import AutoscalerStatus, GroupStatus
from planner.record.result import RunResult
from planner.reports.csv_report import Text, csv_pieces
from planner.units import US_PER_S

_HEADER = (
    "time_s",
    "node_group",
    "health",
    "nodes_ready_count",
    "nodes_unready_count",
    "nodes_not_started_count",
    "nodes_registered_count",
    "nodes_long_unregistered_count",
    "nodes_unregistered_count",
    "cloud_provider_target_count",
    "nodes_min_count",
    "nodes_max_count",
    "scale_up",
    "backoff_until_s",
    "backoff_cause",
    "scale_down",
    "candidates_count",
    "candidates_left_s",
    "blocked_count",
    "blocked_by",
)
_Line = tuple[object, ...]


def autoscaler_status_csv(result: RunResult) -> Text:
    """Empty `node_group`: the cluster.

    A candidate comes with the seconds that it still has to be unneeded, a blocked node with the pod and the rule.
    """
    return csv_pieces(_HEADER, _lines(result))


def _lines(result: RunResult) -> Iterator[_Line]:
    before: dict[str, _Line] = {}
    for status in result.statuses:
        for line in (_of_cluster(status), *(_of_group(group, status.time_us) for group in status.groups)):
            name = str(line[0])
            if before.get(name) != line:
                before[name] = line
                yield (status.time_us / US_PER_S, *line)


def _of_cluster(status: AutoscalerStatus) -> _Line:
    counts = [sum(each) for each in zip(*map(_counts, status.groups), strict=True)]
    candidates = sum(len(group.candidates) for group in status.groups)
    blocked = sum(len(group.blocked) for group in status.groups)
    scale_down = _present(candidates), candidates, "", blocked, ""
    return "", _health(status.is_healthy), *counts, status.scale_up, None, "", *scale_down


def _of_group(group: GroupStatus, now_us: int) -> _Line:
    until_us, candidates = group.backoff_until_us, group.candidates
    left = " ".join(f"{one.node}:{one.left_us(now_us) // US_PER_S}" for one in candidates)
    until_s = None if until_us is None else until_us / US_PER_S
    blocked = " ".join(map(":".join, group.blocked))
    scale_down = _present(len(candidates)), len(candidates), left, len(group.blocked), blocked
    health = _health(group.is_healthy)
    return group.group, health, *_counts(group), group.scale_up, until_s, group.backoff_cause, *scale_down


def _counts(group: GroupStatus) -> tuple[int, ...]:
    registered = group.ready, group.unready, group.not_started, group.registered
    missing = group.long_unregistered, group.unregistered
    return *registered, *missing, group.target, group.min_size, group.max_size


def _health(is_healthy: bool) -> str:
    return "Healthy" if is_healthy else "Unhealthy"


def _present(candidates: int) -> str:
    return "CandidatesPresent" if candidates else "NoCandidates"
