"""Rows of a sheet, written from top to bottom."""

import math
from collections.abc import Iterable, Sequence

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from planner.reports.content import wording

_MOST_TEXT = 32_000


class Looks:
    """The formats of cells of one workbook."""

    def __init__(self, book: Workbook) -> None:
        self.head: Format = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        self.title: Format = book.add_format({"bold": True, "font_size": 16})
        self.bold: Format = book.add_format({"bold": True})
        self.time: Format = book.add_format({"num_format": "[h]:mm:ss"})
        self.share: Format = book.add_format({"num_format": "0.0%"})
        self.count: Format = book.add_format({"num_format": "#,##0"})
        self.unit: Format = book.add_format({"indent": 1})
        self.left: Format = book.add_format({"align": "left"})
        self.measure: Format = book.add_format({"num_format": "#,##0.00##"})


class RowWriter:
    """Writes one row after the other."""

    def __init__(self, sheet: Worksheet, looks: Looks) -> None:
        self._sheet, self._looks, self.row = sheet, looks, 0

    def line(self, text: str, look: Format | None = None) -> None:
        """A text alone on its row."""
        write_text(self._sheet, self.row, 0, text, look)
        self.row += 1

    def head(self, titles: Sequence[str]) -> None:
        """The heading of a table."""
        for column, title in enumerate(titles):
            write_text(self._sheet, self.row, column, title, self._looks.head)
        self.row += 1

    def rows(self, rows: Iterable[Sequence[object]], times: int = 0, numbers: Format | None = None) -> None:
        """The rows of a table; the first `times` columns are times of the run, as parts of a day."""
        for cells in rows:
            for column, value in enumerate(cells):
                write_cell(self._sheet, self.row, column, value, self._looks.time if column < times else numbers)
            self.row += 1

    def figure(self, title: str, value: float, unit: str, look: Format) -> None:
        """One figure with its unit."""
        write_text(self._sheet, self.row, 0, title)
        write_cell(self._sheet, self.row, 1, value, look)
        write_text(self._sheet, self.row, 2, unit, self._looks.unit)
        self.row += 1

    def gap(self) -> None:
        """An empty row."""
        self.row += 1


def write_text(sheet: Worksheet, row: int, column: int, text: str, look: Format | None = None) -> None:
    """Always as text: what begins with = + - @ is no formula."""
    sheet.write_string(row, column, wording.visible(text)[:_MOST_TEXT], look)


def write_cell(sheet: Worksheet, row: int, column: int, value: object, look: Format | None = None) -> None:
    """A number where it is one; nothing for what did not happen and for infinity."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float):
        write_text(sheet, row, column, str(value))
    elif math.isfinite(value):
        sheet.write_number(row, column, value, look)
