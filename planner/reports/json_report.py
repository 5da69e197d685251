"""The key figures of a run as one JSON object."""

import math
from typing import Any

from planner.record.result import RunResult
from planner.units import US_PER_S


def result_json(result: RunResult) -> dict[str, Any]:
    """{digest, seed, until_s, figures: {name: {value, unit}}}; None where a value is not a finite number."""
    return {
        "digest": result.digest(),
        "seed": result.seed,
        "until_s": result.until_us / US_PER_S,
        "figures": {
            name: {"value": figure.value if math.isfinite(figure.value) else None, "unit": figure.unit}
            for name, figure in result.figures.items()
        },
    }
