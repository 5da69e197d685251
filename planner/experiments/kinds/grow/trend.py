"""Trend and season of a recorded load: growth by month, and how much busier the busiest day of the week is."""

from dataclasses import dataclass

import numpy as np

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import TraceLoad
from planner.units import US_PER_DAY
from planner.workloads.load_profiles import rates

DAYS_PER_MONTH = 365.25 / 12.0
_FEWEST_DAYS = 14
_MOMENTS_PER_DAY = 48


@dataclass(frozen=True)
class FittedGrowth:
    """What a recorded load says of the months to come."""

    rate: float
    """Growth by month, as a share."""
    busiest: float
    """Load of the busiest day of the week over that of a mean day."""


def fitted_growth(plan: Plan, workload: str) -> FittedGrowth:
    """From the daily means of a trace of two weeks or more: log-linear in time, with a factor for each day of the week.

    Raises PlanProblem for a workload without such a trace.
    """
    found = next((item for item in plan.workloads if item.name == workload), None)
    names = [item.name for item in plan.workloads if item.traffic and isinstance(item.traffic.profile, TraceLoad)]
    profile = found.traffic.profile if found is not None and found.traffic is not None else None
    if not isinstance(profile, TraceLoad):
        remedy = (
            tr("Choose one of {names}.", names=", ".join(names[:20]))
            if names
            else tr("Read one with headroom trace, or give a rate.")
        )
        raise PlanProblem("trendOf", tr("There is no recorded load of {name!r}.", name=workload), remedy)
    days = (profile.points[-1].at - profile.points[0].at - profile.skip) // US_PER_DAY
    if days < _FEWEST_DAYS:
        problem = tr(
            "The recorded load has {count} whole days; a trend takes {least}.",
            count=max(0, days),
            least=_FEWEST_DAYS,
        )
        raise PlanProblem("trendOf", problem, tr("Record a longer time, or give a rate."))
    moments = (np.arange(days * _MOMENTS_PER_DAY) * (US_PER_DAY // _MOMENTS_PER_DAY)).astype(np.int64) + profile.shift
    means = rates(profile, moments).reshape(days, _MOMENTS_PER_DAY).mean(axis=1)
    if not (means > 0.0).all():
        problem = tr("There are days without any recorded load.")
        raise PlanProblem("trendOf", problem, tr("Leave them out with skip, or give a rate."))
    number = np.arange(days)
    weekdays = np.eye(7)[number % 7]
    columns = np.column_stack((number - number.mean(), weekdays))
    slope, *levels = np.linalg.lstsq(columns, np.log(means), rcond=None)[0]
    by_day = np.exp(levels)
    return FittedGrowth(float(np.expm1(slope * DAYS_PER_MONTH)), float(by_day.max() / by_day.mean()))
