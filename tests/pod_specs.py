"""Pod specs for tests: rules by their own name, whichever part of the spec they belong to."""

from dataclasses import fields
from typing import Any

from planner.state.scaling import PodScaling
from planner.state.specs import PodPlacement, PodRunning

_PARTS = {"placement": PodPlacement, "running": PodRunning, "scaling": PodScaling}


def spec_fields(**rules: Any) -> dict[str, Any]:
    """Arguments of a PodSpec: every rule in its part; what belongs to no part is kept."""
    out = dict(rules)
    for part, kind in _PARTS.items():
        own = {field.name: out.pop(field.name) for field in fields(kind) if field.name in rules}
        if own:
            out[part] = kind(**own)
    return out
