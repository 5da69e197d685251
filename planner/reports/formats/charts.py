"""Native charts of a workbook, with the values that they show on a sheet of their own."""

from typing import Any

import numpy as np
from xlsxwriter import Workbook
from xlsxwriter.worksheet import Worksheet

from planner.reports.content import wording
from planner.reports.content.report import AxisKind, Floats, ReportPlot, RunReport
from planner.reports.formats.axis import time_step
from planner.reports.formats.sheets import Looks, write_cell, write_text
from planner.reports.formats.svg import PALETTE, thinned_places

SECONDS_PER_DAY = 86_400.0
_DATA = "Plots"
_CHART_ROWS = 16
_CHART_COLUMN = 4
_FIRST = 2
"""Row of the first value; above it are the titles of plot and lines."""
_RULE = "#dde1e8"


class Charts:
    """Puts a chart for every plot beside the summary."""

    def __init__(self, book: Workbook, looks: Looks, report: RunReport) -> None:
        self._book, self._looks, self._report = book, looks, report

    def write(self, summary: Worksheet, data: Worksheet) -> None:
        """`data` is the sheet that the charts read."""
        column = 0
        for number, (plot, seconds) in enumerate(self._report.every_plot()):
            places = np.unique(np.concatenate([thinned_places(line.values) for line in plot.lines]))
            self._block(data, column, plot, (places, seconds))
            summary.insert_chart(number * _CHART_ROWS, _CHART_COLUMN, self._chart(plot, column, len(places), seconds))
            column += len(plot.lines) + 2

    def _block(self, sheet: Worksheet, column: int, plot: ReportPlot, at: tuple[Any, Floats]) -> None:
        """Times, and a column for every line; `at` has the rows that are shown and the times of all."""
        places, seconds = at
        write_text(sheet, 0, column, plot.title, self._looks.bold)
        write_text(sheet, 1, column, "Time", self._looks.head)
        self._column(sheet, column, seconds[places] / SECONDS_PER_DAY, self._looks.time)
        for offset, line in enumerate(plot.lines, 1):
            write_text(sheet, 1, column + offset, line.name, self._looks.head)
            self._column(sheet, column + offset, line.values[places])

    def _column(self, sheet: Worksheet, column: int, values: Floats, look: Any = None) -> None:
        for row, value in enumerate(values.tolist(), _FIRST):
            write_cell(sheet, row, column, value, look)

    def _chart(self, plot: ReportPlot, column: int, count: int, seconds: Floats) -> Any:
        kind = {"type": "area", "subtype": "stacked"} if plot.stacked else {"type": "scatter", "subtype": "straight"}
        chart = self._book.add_chart(kind)
        last = _FIRST + count - 1
        for offset, line in enumerate(plot.lines, 1):
            if plot.stacked and line.dashed:
                continue
            colour = PALETTE[line.colour]
            chart.add_series(
                {
                    "name": [_DATA, 1, column + offset],
                    "categories": [_DATA, _FIRST, column, last, column],
                    "values": [_DATA, _FIRST, column + offset, last, column + offset],
                    **({"fill": {"color": colour}} if plot.stacked else {"line": {"color": colour, "width": 1.5}}),
                }
            )
        unit = "milliseconds" if plot.axis is AxisKind.MILLISECONDS else plot.unit
        chart.set_title({"name": wording.one_line(plot.title), "name_font": {"size": 12}})
        chart.set_y_axis({"name": unit, "major_gridlines": {"visible": True, "line": {"color": _RULE}}})
        step = time_step(float(seconds[-1] - seconds[0]))
        every = max(1, round(count * step / max(float(seconds[-1] - seconds[0]), 1.0)))
        end = max(float(seconds[-1]) / SECONDS_PER_DAY, 1e-6)
        chart.set_x_axis(
            {"num_format": "[h]:mm"}
            | (
                {"interval_unit": every, "interval_tick": every}
                if plot.stacked
                else {"min": 0, "max": end, "major_unit": step / SECONDS_PER_DAY}
            )
        )
        chart.set_legend({"position": "bottom"})
        chart.set_size({"width": 720, "height": 300})
        return chart
