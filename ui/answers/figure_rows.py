"""Rows of the table of figures: for each figure a row for every plan, with interval, difference and verdict."""

from PySide6.QtCore import QCoreApplication

from planner.experiments.answers.answer import FigureAnswer
from ui.answers.words.answer_words import AnswerWords
from ui.answers.words.texts import FigureName, Writing, verdict_text, verdict_tone
from ui.widgets.plain_table import Cell, Cells, Column

translate = QCoreApplication.translate


def figure_columns() -> tuple[Column, ...]:
    """Headers."""
    return (
        Column(translate("Answers", "Figure")),
        Column(translate("Answers", "Variant")),
        Column(translate("Answers", "Mean (interval)"), is_number=True),
        Column(
            translate("Answers", "Difference (interval)"),
            translate("Answers", "To the plan named first, seed by seed: luck that both share falls out."),
            is_number=True,
        ),
        Column(translate("Answers", "Verdict"), stretches=True),
    )


def figure_rows(words: AnswerWords, wanted: str, *, everything: bool) -> list[tuple[str, Cells]]:
    """Names of figures with their cells: those that matter most first, and all of them only if `everything`.

    Only those that have all the words of `wanted` in title, subject or plan.
    """
    answer = words.answer
    names = [*answer.looked_at, *(name for name in answer.figures if name not in answer.looked_at)]
    sought = wanted.casefold().split()
    rows: list[tuple[str, Cells]] = []
    for text in names if everything or sought else names[: len(answer.looked_at) or None]:
        figure = answer.figures.get(text)
        if figure is None:
            continue
        for cells in _rows(words.write(text), figure):
            searched = f"{FigureName(text).shown} {cells[1].text} {text}".casefold()
            if all(word in searched for word in sought):
                rows.append((text, cells))
    return rows


def _rows(write: Writing, figure: FigureAnswer) -> list[Cells]:
    name = write.name
    differences = {one.b: one for one in figure.differences}
    rows: list[Cells] = []
    for plan, estimate in figure.variants.items():
        is_first = not rows
        title = Cell(name.shown if is_first else "", tip=name.known.help or name.shown)
        tip = translate("Answers", "{n} seeds, {method}").format(n=estimate.n, method=_METHODS.get(estimate.method, ""))
        cells = [title, Cell(plan), Cell(write.estimate(estimate), tip=tip)]
        one = differences.get(plan)
        if one is None:
            cells += [Cell(), Cell()]
        else:
            tone = verdict_tone(name, one)
            cells += [Cell(write.difference(one), tone=tone), Cell(verdict_text(name, one), tone=tone)]
        rows.append(tuple(cells))
    return rows


_METHODS = {
    "t": "Student's t",
    "bootstrap": "BCa bootstrap",
    "constant": "the same in every run",
    "wilson": "Wilson",
}
