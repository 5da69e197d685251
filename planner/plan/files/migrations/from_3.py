"""Version 3 to 4: `workers` says how many requests a pod works on at once; service is not exponential by default.

`concurrency` and `threads` are gone. Where both were given the smaller one held; without either a pod had one worker
per core, which is now so by itself. What a plan of version 3 meant by leaving out `cv` is written out.
"""

from typing import Any

_OLD_CV = 1.0


def from_3(data: dict[str, Any]) -> dict[str, Any]:
    """The same plan; a CPU limit that acted like a slower CPU is a quota now."""
    workloads = data.get("workloads")
    if not isinstance(workloads, list):
        return data
    called = {call.get("workload") for item in workloads for call in _calls(item)}
    return {**data, "workloads": [_with_workers(item, called) for item in workloads]}


def _calls(workload: Any) -> list[dict[str, Any]]:
    calls = workload.get("calls") if isinstance(workload, dict) else None
    return [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []


def _with_workers(workload: Any, called: set[Any]) -> Any:
    if not isinstance(workload, dict):
        return workload
    demand = workload.get("demand", {})
    serves = workload.get("traffic") or workload.get("name") in called or demand
    if not isinstance(demand, dict) or not serves:
        return workload
    kept = {key: value for key, value in demand.items() if key not in ("concurrency", "threads")}
    bounds = [demand[key] for key in ("concurrency", "threads") if demand.get(key, 0) != 0]
    if bounds:
        known = [bound for bound in bounds if isinstance(bound, int)]
        kept["workers"] = min(known) if len(known) == len(bounds) else bounds[0]
    return {**workload, "demand": {**kept, "cv": demand.get("cv", _OLD_CV)}}
