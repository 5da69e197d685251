"""The figures of an answer as rows for a spreadsheet: one per figure and variant, with its difference to the first."""

from collections.abc import Iterator

from planner.experiments.answers.answer import ExperimentAnswer
from planner.reports.csv_report import csv_text

_HEADER = (
    "figure", "unit", "variant", "mean", "low", "high", "n",
    "difference", "difference_low", "difference_high", "verdict",
)  # fmt: skip


def answer_csv(answer: ExperimentAnswer) -> str:
    """A whole file; an unbounded end of an interval is empty, as is the difference of what is not compared."""
    return csv_text(_HEADER, _rows(answer))


def _rows(answer: ExperimentAnswer) -> Iterator[tuple[object, ...]]:
    for name, figure in answer.figures.items():
        differences = {one.b: one for one in figure.differences}
        for variant, found in figure.variants.items():
            row = (name, figure.unit, variant, found.mean, found.low, found.high, found.n)
            one = differences.get(variant)
            if one is None:
                yield (*row, None, None, None, "")
            else:
                yield (*row, one.estimate.mean, one.estimate.low, one.estimate.high, str(one.verdict))
