"""A load curve out of a spreadsheet: two columns, times and requests per second."""

import math
import re

from PySide6.QtCore import QCoreApplication

from planner.plan.model.traffic import LoadPoint, PointsLoad
from planner.units import US_PER_H, US_PER_MIN, US_PER_S, parse_duration_us

translate = QCoreApplication.translate

MOST_POINTS = 200
"""As many as can be dragged; a longer series is a recorded load."""
_CLOCK = re.compile(r"(\d+):([0-5]?\d)(?::([0-5]?\d(?:\.\d+)?))?")
_CONTEXT = "PastedPoints"


class NoPoints(Exception):
    """The text has no curve in it; says why, and what to do."""


def points_of(text: str) -> PointsLoad:
    """The curve of a text of two columns; a line of titles may stand above. Raises NoPoints.

    Times are seconds, durations such as 10m, or h:mm and h:mm:ss since the beginning of the run.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    found: dict[int, float] = {}
    for number, line in enumerate(lines, 1):
        try:
            at_us, rate = _point(line)
        except ValueError:
            if number == 1:
                continue  # titles
            what = translate(_CONTEXT, "Line {number} is no time and rate: {line}. Write for example 10m and 250.")
            raise NoPoints(what.format(number=number, line=" ".join(line.split())[:60])) from None
        found[at_us] = rate
    if not found:
        raise NoPoints(translate(_CONTEXT, "The clipboard has no curve. Copy two columns: times and rates."))
    if len(found) > MOST_POINTS:
        what = translate(_CONTEXT, "{count} points are too many to drag. Use “Recorded load…” for a series.")
        raise NoPoints(what.format(count=f"{len(found):,}"))
    return PointsLoad(type="points", points=tuple(LoadPoint(at=at, rate=found[at]) for at in sorted(found)))


def _point(line: str) -> tuple[int, float]:
    mark = next((mark for mark in ("\t", ";", ",") if mark in line), None)
    cells = [cell.strip() for cell in line.split(mark)]
    if len([cell for cell in cells if cell]) != 2 or len(cells) < 2:
        raise ValueError(line)
    rate = float(cells[1].replace(",", "").replace(" ", ""))
    if not math.isfinite(rate) or rate < 0:
        raise ValueError(line)
    return _time_us(cells[0]), rate


def _time_us(text: str) -> int:
    clock = _CLOCK.fullmatch(text)
    if clock is not None:
        hours, minutes, seconds = int(clock[1]), int(clock[2]), float(clock[3] or 0)
        return hours * US_PER_H + minutes * US_PER_MIN + round(seconds) * US_PER_S
    if re.fullmatch(r"\d+(\.\d+)?", text):
        return round(float(text)) * US_PER_S
    return parse_duration_us(text)
