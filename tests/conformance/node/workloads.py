"""Vectors of the workload controllers: Deployments, StatefulSets, Jobs."""

from collections.abc import Callable
from typing import Any

from planner.units import US_PER_S
from planner.workloads.controllers.jobs.job_rule import JobEnd, JobMemory, JobPass, JobPhase, JobPod, JobRules, job_pass
from planner.workloads.controllers.rolling_update import SetSize, proportion, roll_step, rollout_room
from planner.workloads.controllers.stateful import SetPod, SetRules, stateful_pass

Json = dict[str, Any]
Outcome = tuple[bool, object]


def _room(given: Json) -> Any:
    def given_or_none(key: str) -> int | str:
        return 0 if given[key] is None else given[key]

    return rollout_room(given["replicas"], given_or_none("maxSurge"), given_or_none("maxUnavailable"))


def _rolling_update_arith(case: Json) -> Outcome:
    try:
        room = _room(case["input"])
    except ValueError as error:
        return case["expect"] == {"error": True}, str(error)
    got = {
        "error": False,
        "surge": room.surge,
        "unavailable": room.unavailable,
        "maxUnavailable": room.max_unavailable,
        "minAvailable": room.min_available,
        "maxPods": room.max_pods,
    }
    return got == case["expect"], got


def _set_size(given: Json) -> SetSize:
    return SetSize(given["replicas"], given["available"], -given["ageSeconds"])


def _rolling_update_step(case: Json) -> Outcome:
    given = case["input"]
    step = roll_step(_room(given), _set_size(given["new"]), [_set_size(part) for part in given["old"]])
    got = {"action": str(step.action), "newReplicas": step.new, "oldReplicas": list(step.old)}
    return got == case["expect"], got


def _rolling_update_proportion(case: Json) -> Outcome:
    given = case["input"]
    size = SetSize(given["rsReplicas"], 0, 0, given.get("rsMaxReplicasAnnotation") or 0)
    before = given.get("deploymentStatusReplicas") or 0
    delta = proportion(_room(given), size, before, given["replicasToAdd"], given["replicasAddedSoFar"])
    return case["expect"] == {"delta": delta}, delta


def _statefulset_order(case: Json) -> Outcome:
    given = case["input"]
    rules = SetRules(
        replicas=given["replicas"],
        start=given["startOrdinal"],
        parallel=given["podManagementPolicy"] == "Parallel",
        on_delete=given["updateStrategy"] == "OnDelete",
        partition=given["partition"] or 0,
        min_ready_us=given["minReadySeconds"] * US_PER_S,
    )
    pods = [
        SetPod(
            ordinal=pod["ordinal"],
            up_to_date=pod["revision"] == "new",
            running=pod["phase"] == "Running",
            finished=pod["phase"] in ("Failed", "Succeeded"),
            ready_for_us=pod["readyForSeconds"] * US_PER_S if pod["ready"] else None,
            terminating=pod["terminating"],
        )
        for pod in given["pods"]
    ]
    actions = stateful_pass(rules, pods)
    got = {
        "create": [
            {"ordinal": ordinal, "revision": "new" if is_new else "old"} for ordinal, is_new in sorted(actions.create)
        ],
        "delete": sorted(actions.delete),
    }
    return got == case["expect"], got


def _us(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * US_PER_S)


def _job_pod(pod: Json) -> JobPod:
    return JobPod(
        key=pod["name"],
        phase=JobPhase[pod["phase"].upper()],
        assigned=pod["assigned"],
        ready_for_us=_us(pod["readyForSeconds"]) if pod["ready"] else None,
        created_us=_us(pod["createdSecondsAgo"]) or 0,
        restarts=pod["restarts"],
        counted=pod["counted"],
        finished_us=_us(pod.get("finishedSecondsAgo")),
        deleted_us=_us(pod.get("deletedSecondsAgo")),
        index=pod.get("index"),
    )


def _job_control(case: Json) -> Outcome:
    given = case["input"]
    rules = JobRules(
        parallelism=given["parallelism"],
        completions=given["completions"],
        backoff_limit=given["backoffLimit"],
        restarts_on_failure=given["restartPolicy"] == "OnFailure",
        replace_only_failed=given["podReplacementPolicy"] == "Failed",
        suspend=given["suspend"],
        deadline_us=_us(given["activeDeadlineSeconds"]),
        indexed=given["completionMode"] == "Indexed",
    )
    memory = JobMemory(
        started_us=_us(given["startedSecondsAgo"]),
        succeeded=given["succeededBefore"],
        failed=given["failedBefore"],
        completed_indexes=_indexes(given.get("completedIndexes") or ""),
        failures_since_success=given["failuresSinceLastSuccess"],
        last_failure_us=_us(given["lastFailureSecondsAgo"]),
    )
    result = job_pass(rules, memory, [_job_pod(pod) for pod in given["pods"]])
    got = _shown(result, rules.indexed)
    return got == case["expect"], got


def _indexes(text: str) -> frozenset[int]:
    """Ranges such as 0-2,5."""
    parts = [part.partition("-") for part in text.split(",") if part]
    return frozenset(at for first, _, last in parts for at in range(int(first), int(last or first) + 1))


def _shown(result: JobPass, indexed: bool) -> Json:
    got: Json = {
        "conditions": _conditions(result),
        "create": result.create,
        "delete": sorted(str(key) for key in result.delete),
        "requeueAfterSeconds": None if result.requeue_us is None else result.requeue_us / US_PER_S,
        "status": {
            "active": result.active,
            "failed": result.failed,
            "ready": result.ready,
            "succeeded": result.succeeded,
            "terminating": result.terminating,
        },
    }
    if indexed:
        got["createIndexes"] = result.create_indexes
    return got


def _conditions(result: JobPass) -> list[str]:
    if result.suspended:
        return ["Suspended/JobSuspended"]
    if result.end is None:
        return []
    first, last = ("SuccessCriteriaMet", "Complete") if result.end is JobEnd.COMPLETE else ("FailureTarget", "Failed")
    return sorted(f"{kind}/{result.end}" for kind in ((first, last) if result.final else (first,)))


FAMILIES: dict[str, Callable[[Json], Outcome]] = {
    "job_control": _job_control,
    "rolling_update_arith": _rolling_update_arith,
    "rolling_update_proportion": _rolling_update_proportion,
    "rolling_update_step": _rolling_update_step,
    "statefulset_order": _statefulset_order,
}
