"""All courses of a back-test as a CSV table, to plot elsewhere."""

import csv
import io
import math
from pathlib import Path

from planner.disk.atomic import replace_file
from planner.disk.cures import cure_of, reason_of
from planner.errors import ResultFileError
from planner.language.translation import tr
from planner.measured.backtest.backtest import BackTest
from planner.measured.measured_cluster import date_text

_HEAD = ("time", "quantity", "name", "measured", "simulated_p5", "simulated_p50", "simulated_p95", "load_cost_target")


def save_courses(found: BackTest, path: Path) -> None:
    """A row per step and course, with the end of the step in UTC; what is unknown is empty. Raises ResultFileError."""
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(_HEAD)
    measured = found.measured
    ends = [date_text(measured.start_s + (step + 1) * measured.step_s) for step in range(measured.steps)]
    for item in found.comparisons:
        beside = found.side_by_side(item.subject)
        naive = [math.nan] * measured.steps if beside.naive is None else beside.naive
        columns = (beside.measured, beside.low, beside.middle, beside.high, naive)
        for end, *values in zip(ends, *columns, strict=True):
            texts = ("" if math.isnan(value) else f"{value:.6g}" for value in values)
            rows.writerow((end, item.subject.quantity, item.subject.name, *texts))
    try:
        replace_file(path.resolve(), text.getvalue().encode())
    except OSError as error:
        problem = tr("The file cannot be written ({reason}).", reason=reason_of(error))
        raise ResultFileError(str(path), problem, cure_of(error)) from error
