"""CSV text of a run: RFC 4180, UTF-8, seconds and plain numbers, safe to open in a spreadsheet."""

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from planner.metrics.tables import COLUMNS
from planner.record.explain import why
from planner.record.result import Row, RunResult
from planner.units import US_PER_S

Cell = str | float | int | None
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def cell(value: object) -> str:
    """One value as the file shows it: shortest exact decimals without exponent; empty for None, nan and infinity.

    Text that a spreadsheet would take for a formula gets a leading apostrophe.
    """
    if type(value) is float:  # first: nearly all cells of a time series
        return _decimal(value)
    if value is None:
        return ""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, int | np.integer):
        return str(int(value))
    if isinstance(value, float | np.floating):
        return _decimal(float(value))
    text = str(value).encode("utf-8", "replace").decode()
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def _decimal(value: float) -> str:
    if not math.isfinite(value):
        return ""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    text = repr(value)
    return np.format_float_positional(value, trim="-") if "e" in text else text


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A whole file, lines ended by CR LF."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([cell(name) for name in header])
    writer.writerows([cell(value) for value in row] for row in rows)
    return out.getvalue()


def summary_csv(result: RunResult) -> str:
    """figure, value, unit."""
    rows: list[tuple[Cell, ...]] = [("seed", result.seed, ""), ("until", result.until_us / US_PER_S, "s")]
    rows += [(name, figure.value, figure.unit) for name, figure in result.figures.items()]
    return csv_text(("figure", "value", "unit"), rows)


def timeseries_csv(result: RunResult) -> str:
    """time_s, then every series, a row every record interval."""
    columns = [values.tolist() for values in result.series.values()]
    seconds = [time_us / US_PER_S for time_us in result.time_us.tolist()]
    return csv_text(("time_s", *result.series), zip(seconds, *columns, strict=True))


def decisions_csv(result: RunResult) -> str:
    """Who decided what about whom, and why."""
    rows = ((d.time_us / US_PER_S, str(d.actor), d.subject, str(d.verdict), why(d)) for d in result.decisions)
    return csv_text(("time_s", "actor", "subject", "verdict", "why"), rows)


def table_csv(name: str, rows: Sequence[Row]) -> str:
    """One of the tables of RunResult; without rows only the header."""
    header = COLUMNS[name]
    return csv_text(header, _cells(header, rows))


def _cells(header: Sequence[str], rows: Sequence[Mapping[str, object]]) -> Iterator[list[object]]:
    for row in rows:
        yield [row[column] for column in header]
