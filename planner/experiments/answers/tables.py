"""The answer of an experiment as a table for people: in Markdown, or in columns for a terminal."""

from collections.abc import Iterable, Sequence

from planner.experiments.answers.answer import ExperimentAnswer, FigureDifference
from planner.experiments.answers.evidence import evidence
from planner.experiments.answers.numbers import shown_unit, with_interval
from planner.experiments.statistics.paired import DifferenceVerdict

Table = Sequence[Sequence[str]]
"""Rows of cells; the first row is the heading."""


def figure_table(answer: ExperimentAnswer, names: Iterable[str] = ()) -> list[list[str]]:
    """A row per figure: its mean in every variant, and the differences from the first; all figures without names."""
    plans = [one.name for one in answer.variants]
    rows = [["Figure", "Unit", *plans, *(f"{plan} − {plans[0]}" for plan in plans[1:])]]
    for name in names or dict.fromkeys((*answer.looked_at, *answer.figures)):
        figure = answer.figures.get(name)
        if figure is None:
            continue
        means = [
            with_interval(figure.variants[plan], figure.unit) if plan in figure.variants else "–" for plan in plans
        ]
        by_plan = {one.b: one for one in figure.differences}
        ahead = [_difference(by_plan[plan], figure.unit) if plan in by_plan else "–" for plan in plans[1:]]
        rows.append([name, shown_unit(figure.unit), *means, *ahead])
    return rows


def _difference(one: FigureDifference, unit: str) -> str:
    if one.verdict is DifferenceVerdict.SAME:
        return "same"
    interval = with_interval(one.estimate, unit)
    return f"{interval}, cannot be told apart" if one.verdict is DifferenceVerdict.UNDECIDED else interval


def answer_markdown(answer: ExperimentAnswer, names: Iterable[str] = ()) -> str:
    """Answer, notes, tables and evidence."""
    parts = [
        answer.sentence,
        *(f"> {note}" for note in answer.notes),
        markdown_table(answer.table or figure_table(answer, names)),
        *(f"### {one.title}\n\n{markdown_table(one.rows)}" for one in answer.tables),
    ]
    return "\n\n".join([*parts, *evidence(answer, "`")]) + "\n"


def answer_text(answer: ExperimentAnswer) -> str:
    """The same for a terminal."""
    notes = "".join(f"Note: {note}\n" for note in answer.notes)
    below = "".join(f"\n{part}\n" for part in evidence(answer))
    tables = "".join(f"\n{one.title}\n{columns(one.rows)}" for one in answer.tables)
    return f"{answer.sentence}\n{notes}\n{columns(answer.table or figure_table(answer))}{tables}{below}"


def markdown_table(rows: Table) -> str:
    """A table of Markdown; numbers may be cut by nothing but the reader's window."""
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    rule = "|" + "|".join("---" if column < 2 else "---:" for column in range(len(rows[0]))) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def columns(rows: Table) -> str:
    """Cells under each other, two blanks apart."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() + "\n" for row in rows
    )
