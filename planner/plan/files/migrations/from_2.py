"""Version 2 to 3: samples take the way they take in a cluster, loops drift, requests are discrete, a queue may be of 0.

What a plan of version 2 with autoscalers meant is written out: all pods sampled at once, with what they use at that
moment, exact periods, and first moments one period after the start. Load was a fluid, and a `queueLimit` of 0 stood for
none.
"""

from typing import Any

_PERIOD = "15s"
_NO_PHASES = (None, "0s", "0", 0)


def from_2(data: dict[str, Any]) -> dict[str, Any]:
    """The same plan; without autoscalers of pods or without load it does not depend on the settings of these."""
    data = _with_fluid_load(_without_empty_limits(data))
    pipeline, controller = data.get("metricsPipeline", {}), data.get("hpaController", {})
    if not isinstance(pipeline, dict) or not isinstance(controller, dict):
        return data
    has_autoscalers = bool(data.get("horizontalPodAutoscalers"))
    found = dict(data)
    if has_autoscalers or pipeline:
        found["metricsPipeline"] = _pipeline(pipeline)
    if has_autoscalers or controller:
        found["hpaController"] = _controller(controller)
    return found


def _without_empty_limits(data: dict[str, Any]) -> dict[str, Any]:
    workloads = data.get("workloads")
    if not isinstance(workloads, list):
        return data
    return {**data, "workloads": [_without_empty_limit(item) for item in workloads]}


def _without_empty_limit(workload: Any) -> Any:
    demand = workload.get("demand") if isinstance(workload, dict) else None
    if not isinstance(demand, dict) or demand.get("queueLimit") != 0:
        return workload
    return {**workload, "demand": {key: value for key, value in demand.items() if key != "queueLimit"}}


def _with_fluid_load(data: dict[str, Any]) -> dict[str, Any]:
    workloads, settings = data.get("workloads"), data.get("simulation", {})
    if not isinstance(workloads, list) or not isinstance(settings, dict):
        return data
    if not any(isinstance(item, dict) and item.get("traffic") for item in workloads):
        return data
    return {**data, "simulation": {**settings, "discreteRequests": False}}


def _pipeline(old: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in old.items() if key not in ("resolution", "phase")}
    interval = old.get("resolution", _PERIOD)
    return {"sampling": "sampled", **kept, "scrapeInterval": interval, "phase": _phase(old, interval)}


def _controller(old: dict[str, Any]) -> dict[str, Any]:
    return {**old, "phase": _phase(old, old.get("syncPeriod", _PERIOD)), "evaluationTime": "0s"}


def _phase(old: dict[str, Any], period: Any) -> Any:
    """The old 0 stood for one period after the start."""
    phase = old.get("phase")
    return period if phase in _NO_PHASES else phase
