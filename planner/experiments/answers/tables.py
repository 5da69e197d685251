"""The answer of an experiment as a table for people: in Markdown, or in columns for a terminal."""

from collections.abc import Iterable, Sequence
from unicodedata import east_asian_width

from planner.experiments.answers.answer import ExperimentAnswer, FigureDifference
from planner.experiments.answers.evidence import evidence
from planner.experiments.answers.numbers import mean_text, shown_unit, with_interval
from planner.experiments.statistics.paired import DifferenceVerdict
from planner.language.phrases import phrase, said
from planner.language.translation import tr

Table = Sequence[Sequence[str]]
"""Rows of cells; the first row is the heading."""


def figure_table(answer: ExperimentAnswer, names: Iterable[str] = ()) -> list[list[str]]:
    """A row per figure: its mean in every variant, and the differences from the first; all figures without names."""
    plans = [one.name for one in answer.variants]
    rows = [[phrase("Figure"), phrase("Unit"), *plans, *(f"{plan} − {plans[0]}" for plan in plans[1:])]]
    for name in names or dict.fromkeys((*answer.looked_at, *answer.figures)):
        figure = answer.figures.get(name)
        if figure is None:
            continue
        found = [figure.variants.get(plan) for plan in plans]
        means = ["–" if one is None else mean_text(name, one, figure.unit, answer.latencies) for one in found]
        by_plan = {one.b: one for one in figure.differences}
        ahead = [_difference(by_plan[plan], figure.unit) if plan in by_plan else "–" for plan in plans[1:]]
        rows.append([name, shown_unit(figure.unit), *means, *ahead])
    return rows


def _difference(one: FigureDifference, unit: str) -> str:
    if one.verdict is DifferenceVerdict.SAME:
        return phrase("same")
    interval, is_open = with_interval(one.estimate, unit), one.verdict is DifferenceVerdict.UNDECIDED
    return phrase("{interval}, cannot be told apart", interval=interval) if is_open else interval


def answer_markdown(answer: ExperimentAnswer, names: Iterable[str] = ()) -> str:
    """Answer, notes, tables and evidence."""
    parts = [
        said(answer.sentence),
        *(f"> {note}" for note in _notes(answer)),
        markdown_table(answer.table or figure_table(answer, names)),
        *(f"### {said(one.title)}\n\n{markdown_table(one.rows)}" for one in answer.tables),
    ]
    return "\n\n".join([*parts, *evidence(answer, "`")]) + "\n"


def answer_text(answer: ExperimentAnswer) -> str:
    """The same for a terminal."""
    notes = "".join(tr("Note: {note}", note=note) + "\n" for note in _notes(answer))
    below = "".join(f"\n{part}\n" for part in evidence(answer))
    tables = "".join(f"\n{said(one.title)}\n{columns(one.rows)}" for one in answer.tables)
    return f"{said(answer.sentence)}\n{notes}\n{columns(answer.table or figure_table(answer))}{tables}{below}"


def _notes(answer: ExperimentAnswer) -> list[str]:
    return [*([tr("It was stopped early.")] if answer.stopped else []), *map(said, answer.notes)]


def markdown_table(rows: Table) -> str:
    """A table of Markdown; numbers may be cut by nothing but the reader's window."""
    lines = ["| " + " | ".join(said(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
    rule = "|" + "|".join("---" if column < 2 else "---:" for column in range(len(rows[0]))) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def columns(rows: Table) -> str:
    """Cells under each other, two blanks apart."""
    shown = [[said(cell) for cell in row] for row in rows]
    widths = [max(_width(row[column]) for row in shown) for column in range(len(shown[0]))]
    return "".join("  ".join(map(_padded, row, widths)).rstrip() + "\n" for row in shown)


def _padded(cell: str, width: int) -> str:
    return cell + " " * (width - _width(cell))


def _width(text: str) -> int:
    """Columns that it takes on a terminal: letters of East Asian scripts take two."""
    return len(text) if text.isascii() else sum(2 if east_asian_width(one) in "WF" else 1 for one in text)
