"""Version 2 to 3: samples of pods take the way they take in a cluster, and loops drift.

What a plan of version 2 with autoscalers meant is written out: all pods sampled at once, with what they use at that
moment, exact periods, and first moments one period after the start.
"""

from typing import Any

_PERIOD = "15s"
_NO_PHASES = (None, "0s", "0", 0)


def from_2(data: dict[str, Any]) -> dict[str, Any]:
    """The same plan; one without autoscalers of pods does not depend on these settings."""
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
