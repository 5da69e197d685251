"""autoscaler_status.csv"""

import csv
from types import SimpleNamespace

from planner.record.autoscaler_status import (
    AutoscalerStatus,
    BlockedNode,
    GroupStatus,
    ScaleDownCandidate,
    ScaleUpActivity,
)
from planner.reports.autoscaler_status import autoscaler_status_csv
from planner.units import US_PER_S

CALM = GroupStatus("calm", True, 1, 0, 0, 1, 0, 0, 1, 0, 3, ScaleUpActivity.NO_ACTIVITY)
BUSY = CALM._replace(group="busy", candidates=(ScaleDownCandidate("busy-1", 0, 600 * US_PER_S),))


def rows(*statuses):
    text = "".join(autoscaler_status_csv(SimpleNamespace(statuses=statuses)))
    return list(csv.DictReader(text.splitlines()))


def test_a_group_has_a_row_only_where_it_changed_and_the_cluster_sums_them_up():
    late = BUSY._replace(is_healthy=False, unready=1, scale_up=ScaleUpActivity.BACKOFF, backoff_until_us=90 * US_PER_S,
                         backoff_cause="timed out", candidates=())  # fmt: skip
    found = rows(
        AutoscalerStatus(10 * US_PER_S, True, (CALM, BUSY)), AutoscalerStatus(20 * US_PER_S, False, (CALM, late))
    )
    assert [(row["time_s"], row["node_group"]) for row in found] == [
        ("10", ""), ("10", "calm"), ("10", "busy"), ("20", ""), ("20", "busy"),
    ]  # fmt: skip
    assert (found[0]["nodes_ready_count"], found[0]["candidates_count"]) == ("2", "1")
    assert (found[2]["scale_down"], found[2]["candidates_left_s"]) == ("CandidatesPresent", "busy-1:590")
    assert [found[4][name] for name in ("health", "scale_up", "backoff_until_s", "backoff_cause")] == [
        "Unhealthy", "Backoff", "90", "timed out",
    ]  # fmt: skip


def test_a_blocked_node_comes_with_the_pod_and_the_rule():
    blocked = tuple(BlockedNode(f"busy-{number}", f"db-{number}", "NotEnoughPdb") for number in (2, 3))
    whole, busy = rows(AutoscalerStatus(0, True, (BUSY._replace(blocked=blocked),)))
    assert (whole["blocked_count"], whole["blocked_by"]) == ("2", "")
    assert (busy["blocked_count"], busy["blocked_by"]) == ("2", "busy-2:db-2:NotEnoughPdb busy-3:db-3:NotEnoughPdb")
