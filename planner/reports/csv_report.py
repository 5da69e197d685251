"""CSV text of a run: RFC 4180, UTF-8, seconds and plain numbers, safe to open in a spreadsheet.

Files are written piece by piece, because those of a long run of a large cluster would take more memory than the run.
"""

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from planner.metrics.tables import COLUMNS
from planner.record.result import Row, RunResult
from planner.record.text.explain import why
from planner.units import US_PER_S

Cell = str | float | int | None
Text = Iterator[str]
"""A file, piece by piece."""
_PIECE_ROWS = 64
_MOST_WHOLE = 1e15
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def cell(value: object) -> str:
    """One value as the file shows it: shortest exact decimals without exponent; empty for None, nan and infinity.

    Text that a spreadsheet would take for a formula gets a leading apostrophe; control characters are written as
    escapes such as \\x1b, line breaks as spaces.
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
    text = str(value)
    plain = text if text.isprintable() else _printable(text)
    return f"'{plain}" if text.startswith(_FORMULA_STARTS) or plain.startswith(_FORMULA_STARTS) else plain


def _printable(text: str) -> str:
    """Without control characters, invisible marks and halves of characters."""
    text = re.sub(r"\s", " ", text.strip()).encode("utf-8", "replace").decode()
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def _decimal(value: float) -> str:
    if not math.isfinite(value):
        return ""
    if value == int(value) and abs(value) < _MOST_WHOLE:
        return str(int(value))
    text = repr(value)
    return np.format_float_positional(value, trim="-") if "e" in text else text


def _decimals(values: NDArray[np.float64]) -> list[str]:
    """`_decimal` of many values."""
    bits = values.view(np.int64)
    if (bits == bits[0]).all():  # also where all are not a number
        return [_decimal(float(values[0]))] * len(values)
    size, is_whole = np.abs(values), values == np.trunc(values)
    if is_whole.all() and (size < _MOST_WHOLE).all():
        return list(map(str, values.astype(np.int64).tolist()))
    texts = list(map(repr, values.tolist()))
    usual = ~is_whole & (size >= 1e-4) & (size < _MOST_WHOLE)  # what `repr` shows without exponent
    for at in np.flatnonzero(~usual).tolist():
        texts[at] = _decimal(float(values[at]))
    return texts


def csv_pieces(header: Sequence[str], rows: Iterable[Sequence[object]]) -> Text:
    """A file piece by piece, lines ended by CR LF."""
    remaining = iter(rows)
    yield _lines([header])
    while piece := list(islice(remaining, _PIECE_ROWS)):
        yield _lines(piece)


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A whole file."""
    return "".join(csv_pieces(header, rows))


def _lines(rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerows([cell(value) for value in row] for row in rows)
    return out.getvalue()


def summary_csv(result: RunResult) -> Text:
    """figure, value, unit; a run that ended before its time says why in the row `stopped`."""
    rows: list[tuple[Cell, ...]] = [("seed", result.seed, ""), ("until", result.until_us / US_PER_S, "s")]
    if result.stopped is not None:
        rows.append(("stopped", str(result.stopped), ""))
    rows += [(name, figure.value, figure.unit) for name, figure in result.figures.items()]
    return csv_pieces(("figure", "value", "unit"), rows)


def timeseries_csv(result: RunResult) -> Text:
    """time_s, then every series, a row every record interval."""
    yield _lines([("time_s", *result.series)])
    times, done = result.time_us / US_PER_S, 0
    for block in result.series.blocks(_PIECE_ROWS):
        count = block.shape[1]
        columns = [_decimals(times[done : done + count]), *map(_decimals, block)]
        yield "".join(f"{','.join(row)}\r\n" for row in zip(*columns, strict=True))
        done += count


def decisions_csv(result: RunResult) -> Text:
    """Time, actor, subject, verdict and reason of every decision."""
    rows = ((d.time_us / US_PER_S, str(d.actor), d.subject, str(d.verdict), why(d)) for d in result.decisions)
    return csv_pieces(("time_s", "actor", "subject", "verdict", "why"), rows)


def table_csv(name: str, rows: Sequence[Row]) -> Text:
    """One of the tables of RunResult; without rows only the header."""
    header = COLUMNS[name]
    return csv_pieces(header, _cells(header, rows))


def _cells(header: Sequence[str], rows: Sequence[Mapping[str, object]]) -> Iterator[list[object]]:
    for row in rows:
        yield [row[column] for column in header]
