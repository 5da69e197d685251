"""A plot as a picture, a drawing or a table."""

from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication

from planner.disk.atomic import replace_file
from ui.plots.curves.curve_data import CurveData
from ui.plots.panel.plot_row import PlotRow
from ui.widgets.pictures import PICTURES

FILTERS = MappingProxyType({"png": "PNG (*.png)", "svg": "SVG (*.svg)", "csv": "CSV (*.csv)"})


def export_plot(row: PlotRow, kind: str, path: Path) -> Path:
    """Write the plot to a file and return its path. Raises OSError if that fails; an older file is untouched then."""
    path = path if path.suffix else path.with_suffix(f".{kind}")
    replace_file(path.resolve(), table_of(row) if kind == "csv" else picture_of(row, kind))
    return path


def picture_of(row: PlotRow, kind: str) -> bytes:
    """The plot as it is shown, as PNG or SVG: with the times below it, and without its buttons."""
    with row.as_picture() as parts:
        return PICTURES[kind](parts, row.title_text(), row.view.backgroundBrush().color())


def table_of(row: PlotRow) -> bytes:
    """All data of the curves that are shown, for the whole run, as CSV; the baseline's at the times of the run."""
    run = row.run
    if run is None:
        return b""
    from planner.reports.csv_report import csv_text  # late, with all tables of a run

    columns: dict[str, list[float]] = {"time_s": run.time_s.tolist()}
    for data in row.view.layer.data:
        columns[_heading(data)] = data.own_values().tolist()
    of_baseline = QCoreApplication.translate("plots", "{column} of {run}")
    for data in row.view.baseline.data:
        if not data.is_empty:
            heading = of_baseline.format(column=_heading(data), run=data.run.label)
            columns[heading] = _at_times(data, run.time_s).tolist()
    return csv_text(tuple(columns), zip(*columns.values(), strict=True)).encode()


def _heading(data: CurveData) -> str:
    """The name of the column in timeseries.csv, or what is combined in it."""
    own = data.curve.own
    if len(own) == 1:
        return own[0]
    text = QCoreApplication.translate("plots", "{metric} of {count} together")
    return text.format(metric=data.curve.line.column, count=len(own))


def _at_times(data: CurveData, times_s: NDArray[np.float64]) -> NDArray[np.float64]:
    """The last value at or before each time; nan before the first and after the end."""
    known = data.run.time_s
    rows = np.searchsorted(known, times_s, side="right") - 1
    values = np.full(len(times_s), np.nan)
    there = (rows >= 0) & (times_s <= data.run.done_us / 1e6)
    values[there] = data.own_values()[rows[there]]
    return values
