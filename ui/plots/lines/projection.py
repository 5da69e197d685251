"""Where a sum will be at the end of a run if it goes on as it has so far."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from planner.plan.values.money import money_text
from planner.units import US_PER_S
from ui.plots.curves.curve_data import CurveData

Point = tuple[float, float]
_LEAST_S = 60.0
"""So much has to be known of a run."""


def projected(shown: Sequence[CurveData]) -> tuple[Point | None, Point, str]:
    """From the newest value of the last curve to the end of its run, and the name of that line; None if it is over."""
    nothing = (None, (0.0, 0.0), "")
    if not shown:
        return nothing
    data = shown[-1]
    run, times = data.run, data.run.time_s
    if not run.state.is_live or not len(times) or times[-1] < _LEAST_S:
        return nothing
    now_s, end_s, value = float(times[-1]), run.until_us / US_PER_S, data.value_at(None)
    at_end = value / now_s * end_s
    text = QCoreApplication.translate("plots", "about {money} at the end")
    return (now_s, value), (end_s, at_end), text.format(money=money_text(at_end, run.plan.costs.currency))
