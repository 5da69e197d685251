"""Sobol indices: which share of a figure's variance comes from which input."""

from dataclasses import dataclass

import numpy as np

from planner.experiments.statistics.estimates import Floats


@dataclass(frozen=True)
class SobolIndices:
    """Of one input."""

    first: float
    """Share of the variance that the input explains alone."""
    total: float
    """Share that it explains alone and together with others."""


@dataclass(frozen=True)
class SobolDesign:
    """Points in the unit cube at which a figure is needed."""

    a: Floats
    """One row per sample."""
    b: Floats
    mixed: Floats
    """(inputs, samples, inputs): `a` with one column of `b`."""

    @property
    def points(self) -> Floats:
        """All of them: `a`, `b`, then `mixed` by input."""
        return np.concatenate((self.a, self.b, *self.mixed))


def sobol_design(inputs: int, samples: int, seed: int) -> SobolDesign:
    """For so many inputs; the number of samples is rounded up to a power of two."""
    from scipy.stats import qmc  # late: loading it takes longer than a small run

    both = qmc.Sobol(2 * inputs, rng=seed).random_base2(max(2, int(samples - 1).bit_length()))
    a, b = both[:, :inputs], both[:, inputs:]
    mixed = np.stack([np.where(np.arange(inputs) == at, b, a) for at in range(inputs)])
    return SobolDesign(a, b, mixed)


def sobol_indices(design: SobolDesign, values: Floats) -> tuple[SobolIndices, ...]:
    """From values at `design.points`; empty if the figure does not vary or too few are known."""
    from scipy import stats

    inputs, samples = design.mixed.shape[0], design.a.shape[0]
    table = values.reshape(inputs + 2, samples)
    table = table[:, np.isfinite(table).all(axis=0)]
    if table.shape[1] < 4 or np.ptp(table[:2]) == 0.0:
        return ()
    if inputs == 1:  # all of the variance is its own; SciPy 1.18 fails at a single input
        return (SobolIndices(1.0, 1.0),)
    table = table - table[:2].mean()
    known = {"f_A": table[None, 0], "f_B": table[None, 1], "f_AB": table[2:, None]}
    found = stats.sobol_indices(func=known, n=table.shape[1])
    first, total = np.atleast_2d(found.first_order)[0], np.atleast_2d(found.total_order)[0]
    return tuple(SobolIndices(float(one), float(other)) for one, other in zip(first, total, strict=True))
