"""Screening by elementary effects: which inputs matter, and which act in a curve or together.

Morris 1991, "Factorial sampling plans for preliminary computational experiments", Technometrics 33 (2), with the mean
of absolute effects of Campolongo, Cariboni and Saltelli 2007.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.engine.draws import Draws, key_within
from planner.experiments.statistics.estimates import Floats

_LEVELS = 4
_STEP = _LEVELS / (2.0 * (_LEVELS - 1))
_ROUNDING = 1e-12
"""Relative; effects that vary by less are equal."""
_PURPOSE = "experiments/screening"


@dataclass(frozen=True)
class ElementaryEffects:
    """The effects of one input over its whole range."""

    importance: float
    """Mean of the absolute effects."""
    mean: float
    spread: float
    """Standard deviation: large where the effect depends on where it is, or on other inputs."""
    count: int


def trajectories(inputs: int, count: int, seed: int) -> Floats:
    """Points in the unit cube, (count, inputs + 1, inputs): along each trajectory every input moves once."""
    draws = Draws(seed).of(_PURPOSE)
    found = np.empty((count, inputs + 1, inputs))
    for row in range(count):
        shares = [draws.uniform(key_within(row, at), number) for number in range(3) for at in range(inputs)]
        base, ways, ranks = (np.array(shares[part * inputs : (part + 1) * inputs]) for part in range(3))
        point = np.floor(base * (_LEVELS // 2)) / (_LEVELS - 1)
        down = ways < 0.5
        point[down] += _STEP
        found[row, 0] = point
        for position, at in enumerate(np.argsort(ranks, kind="stable")):
            point[at] += -_STEP if down[at] else _STEP
            found[row, position + 1] = point
    return np.clip(found, 0.0, 1.0)


def elementary_effects(points: Floats, values: Floats) -> Sequence[ElementaryEffects | None]:
    """Of every input, from values at the points of trajectories, (count, inputs + 1); None without a known effect."""
    moves, changes = np.diff(points, axis=1), np.diff(values, axis=1)
    found: list[ElementaryEffects | None] = []
    for at in range(points.shape[2]):
        moved = moves[:, :, at] != 0.0
        effects = changes[moved] / moves[:, :, at][moved]
        effects = effects[np.isfinite(effects)]
        if not len(effects):
            found.append(None)
            continue
        spread = float(effects.std(ddof=1)) if len(effects) > 1 else 0.0
        spread = spread if spread > _ROUNDING * float(np.abs(effects).max()) else 0.0
        found.append(ElementaryEffects(float(np.abs(effects).mean()), float(effects.mean()), spread, len(effects)))
    return found
