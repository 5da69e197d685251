"""How often a failed request is sent again, from retries and from the requests that were given up.

Where all attempts of a step fail with the same chance, a request is given up with the power of that chance that is the
number of its attempts.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from planner.language.translation import tr
from planner.measured.calibration.fit import ATTEMPTS, LEAST_STEPS, Fit, NoFit, PointsOf, fit_points
from planner.measured.calibration.regression import CONFIDENCE, FittedNumber, Floats, independent_share
from planner.measured.measured_cluster import MeasuredCluster
from planner.measured.quantities import Quantity
from planner.plan.model.workloads import Workload

_MOST_ATTEMPTS = 10.5
"""Of a plan, with what is rounded to it."""


def retry_fits(workload: Workload, measured: MeasuredCluster) -> Iterator[Fit | NoFit]:
    """Attempts after the first one, of clients whose requests fail."""
    name, what = workload.name, tr("retries")
    arrived, again, given_up = (
        measured.course(quantity, name) for quantity in (Quantity.REQUESTS, Quantity.RETRIES, Quantity.GIVEN_UP)
    )
    if again is None:
        return
    if arrived is None or given_up is None:
        missing = tr("requests") if arrived is None else tr("requests that were given up")
        yield NoFit(name, what, tr("there is no series of {missing}", missing=missing))
        return
    given_up = np.nan_to_num(given_up)
    known = np.isfinite(arrived) & np.isfinite(again) & (again + given_up > 0) & (arrived > again)
    steps = int(known.sum())
    if steps < LEAST_STEPS:
        why = tr("only {steps} steps have requests that fail; {least} are needed", steps=steps, least=LEAST_STEPS)
        yield NoFit(name, what, why)
        return
    attempts, repeated, lost = (np.asarray(part, dtype=np.float64)[known] for part in (arrived, again, given_up))
    requests, failed = attempts - repeated, repeated + lost
    chance = np.minimum(failed / attempts, 1.0)
    found = _retries(requests, chance, lost)
    if found is None:
        yield NoFit(name, what, tr("hardly any request is given up, so the number of attempts does not show"))
        return
    low, high = f"{found.low:.2f}", f"{found.high:.2f}"
    if not round(found.low) == round(found.value) == round(found.high):
        why = tr("{low} to {high} attempts after the first one, which is no single number", low=low, high=high)
        yield NoFit(name, what, why)
        return
    points = fit_points(PointsOf.GIVEN_UP_OVER_FAILED, failed, lost, _expected(found.value, requests, chance))
    remark = tr("{low} to {high} before rounding", low=low, high=high)
    yield Fit(name, ("demand", "retries", "attempts"), found, ATTEMPTS, points, remark)


def _expected(retries: float, requests: Floats, chance: Floats) -> Floats:
    """Requests that are given up after so many retries."""
    return np.asarray(requests * chance ** (1.0 + retries))


def _retries(requests: Floats, chance: Floats, lost: Floats) -> FittedNumber | None:
    """The retries with which as many requests are given up as were; None if these are too few to show it."""
    from scipy import optimize, stats  # late: loading it takes longer than a small run

    total = float(lost.sum())

    def surplus(retries: float) -> float:
        return float(_expected(retries, requests, chance).sum()) - total

    if surplus(_MOST_ATTEMPTS) >= 0:
        return None
    value = float(optimize.brentq(surplus, 0.0, _MOST_ATTEMPTS)) if surplus(0.0) > 0 else 0.0
    expected = _expected(value, requests, chance)
    errors = lost - expected
    inside: NDArray[np.bool_] = (chance > 0) & (chance < 1)
    slope = float(-(expected[inside] * np.log(chance[inside])).sum())
    spread = float(errors.std()) * np.sqrt(len(errors) / independent_share(errors))
    reach = float(stats.norm.ppf(0.5 + CONFIDENCE / 2)) * float(spread) / slope if slope > 0 else np.inf
    middle = float(np.median(lost))
    residual = float(np.median(np.abs(errors))) / middle if middle > 0 else 0.0
    return FittedNumber(value, max(0.0, value - reach), value + reach, len(lost), residual)
