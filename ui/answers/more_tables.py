"""What only some kinds of experiments find: lists of records as tables, whatever is in them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication
from PySide6.QtWidgets import QLabel, QScrollArea, QVBoxLayout, QWidget

from planner.experiments.answers.answer import TitledTable
from planner.language.phrases import said
from ui.answers.words.answer_words import AnswerWords
from ui.answers.words.texts import FigureName
from ui.theme.theme import ThemeSource
from ui.widgets.plain_table import Cell, Cells, Column, PlainTable, PlainTableView

_MOST_ROWS_SHOWN = 12
_SHOWN_ELSEWHERE = (
    "points",
    "curves",
    "heatMap",
    "parameters",
    "tornado",
    "ordeals",
    "candidates",
    "pareto",
    "closest",
    "today",
    "months",
    "uses",
    "effects",
)
"""In a table or plot of their own."""
_MINIMISED = {"regret": ("mean", "worst"), "clairvoyant": ("mean", "low", "high")}
"""Tables with columns that are values of what a search minimises."""
HEADINGS = {
    "quantiles": QT_TRANSLATE_NOOP("Answers", "Quantiles"),
    "influence": QT_TRANSLATE_NOOP("Answers", "Which uncertain input matters most"),
    "screening": QT_TRANSLATE_NOOP("Answers", "Morris screening"),
    "sobol": QT_TRANSLATE_NOOP("Answers", "Sobol indices"),
    "regret": QT_TRANSLATE_NOOP("Answers", "Regret"),
    "clairvoyant": QT_TRANSLATE_NOOP("Answers", "Lower bound, had the load been known"),
    "days": QT_TRANSLATE_NOOP("Answers", "Kinds of days"),
    "firstMonths": QT_TRANSLATE_NOOP("Answers", "When it first breaks"),
    "of": QT_TRANSLATE_NOOP("Answers", "Figure"),
    "path": QT_TRANSLATE_NOOP("Answers", "Number of the plan"),
    "importance": QT_TRANSLATE_NOOP("Answers", "Importance"),
    "spread": QT_TRANSLATE_NOOP("Answers", "Spread"),
    "first": QT_TRANSLATE_NOOP("Answers", "First order"),
    "total": QT_TRANSLATE_NOOP("Answers", "Total"),
    "correlation": QT_TRANSLATE_NOOP("Answers", "Rank correlation"),
    "share": QT_TRANSLATE_NOOP("Answers", "Share of the variance"),
    "name": QT_TRANSLATE_NOOP("Answers", "Name"),
    "mean": QT_TRANSLATE_NOOP("Answers", "Mean"),
    "low": QT_TRANSLATE_NOOP("Answers", "Low end"),
    "high": QT_TRANSLATE_NOOP("Answers", "High end"),
    "n": QT_TRANSLATE_NOOP("Answers", "Runs"),
    "worst": QT_TRANSLATE_NOOP("Answers", "Worst"),
    "missed": QT_TRANSLATE_NOOP("Answers", "Constraints missed"),
    "seeds": QT_TRANSLATE_NOOP("Answers", "Seeds"),
    "perMonth": QT_TRANSLATE_NOOP("Answers", "Days per month"),
    "factor": QT_TRANSLATE_NOOP("Answers", "Load factor"),
    "what": QT_TRANSLATE_NOOP("Answers", "What breaks"),
    "month": QT_TRANSLATE_NOOP("Answers", "Month"),
}
"""Of tables and columns, by their keys."""
translate = QCoreApplication.translate


class MoreTables(QScrollArea):
    """A table for each part of the answer that is a list of records."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.tables: list[PlainTableView] = []
        self._words: AnswerWords | None = None
        self.setWidgetResizable(True)

    def show_answer(self, words: AnswerWords) -> bool:
        """Tables of another answer; False if it has none."""
        page = QWidget()
        down = QVBoxLayout(page)
        self.tables, self._words = [], words
        for one in words.answer.tables:
            self._add(down, said(one.title), _of_texts(one, self._theme, self))
        for title, rows in records(words.answer.more):
            self._add(down, heading_of(title), self._table(title, rows))
        down.addStretch(1)
        self.setWidget(page)
        for part in (self.viewport(), page):
            part.setAutoFillBackground(False)  # the panel's own background shows through
        return bool(self.tables)

    def _add(self, down: QVBoxLayout, title: str, table: PlainTable) -> None:
        heading = QLabel(title)
        heading.setProperty("heading", True)
        down.addWidget(heading)
        view = PlainTableView(table, title)
        height = view.verticalHeader().defaultSectionSize()
        view.setFixedHeight(height * (min(len(table.rows), _MOST_ROWS_SHOWN) + 2))
        self.tables.append(view)
        down.addWidget(view)

    def _table(self, title: str, rows: list[Mapping[str, Any]]) -> PlainTable:
        if title == "firstMonths":
            rows = [dict(row) | {"month": row["month"] or translate("Answers", "today")} for row in rows]
        keys = list(dict.fromkeys(key for row in rows for key in row))
        numbers = {key for key in keys if all(isinstance(row.get(key, 0), int | float) for row in rows)}
        columns = [Column(heading_of(key), is_number=key in numbers) for key in keys]
        table = PlainTable(columns, self._theme, self)
        shown = _MINIMISED.get(title, ())
        table.show_rows([self._cells(self._written(row, shown), keys) for row in rows])
        return table

    def _written(self, row: Mapping[str, Any], minimised: Sequence[str]) -> Mapping[str, Any]:
        """The row with values of what a search minimises as people read them."""
        assert self._words is not None
        if not minimised:
            return row
        write = self._words.write(str(self._words.answer.more["minimise"]))
        return {
            key: write.value(value) if key in minimised and value is not None else value for key, value in row.items()
        }

    def _cells(self, row: Mapping[str, Any], keys: list[str]) -> Cells:
        """A row about a figure has its name in words, and estimates in its unit."""
        words = self._words
        assert words is not None
        texts = {key: words.shown(text) for key in keys if isinstance(text := row.get(key), str)}
        figure = str(row.get("of"))
        if figure not in words.answer.figures:
            return tuple(Cell(texts[key] if key in texts else _shown(row.get(key))) for key in keys)
        write, texts["of"] = words.write(figure), FigureName(figure).shown
        return tuple(Cell(texts[key] if key in texts else _shown(row.get(key), write.value)) for key in keys)


def _of_texts(found: TitledTable, theme: ThemeSource, parent: QWidget) -> PlainTable:
    """A table whose cells are written already."""
    head, *rows = found.rows
    table = PlainTable([Column(said(title)) for title in head], theme, parent)
    table.show_rows([tuple(Cell(said(text)) for text in row) for row in rows])
    return table


def records(more: Mapping[str, Any]) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    """Keys and records: a list of maps as it is; a map of lists of maps with the key in front of each."""
    for name, found in more.items():
        if name in _SHOWN_ELSEWHERE:
            continue
        if isinstance(found, Mapping) and found and all(isinstance(part, Mapping) for part in found.values()):
            inner = list(records(found))
            if inner and all(isinstance(row, list) for part in found.values() for row in part.values()):
                yield from inner
                continue
        if isinstance(found, list) and found and all(isinstance(row, Mapping) for row in found):
            yield name, found
        elif isinstance(found, Mapping) and found:
            rows: list[Mapping[str, Any]] = []
            for key, part in found.items():
                if isinstance(part, Mapping | list):
                    rows += [{"of": key} | dict(row) for row in (part if isinstance(part, list) else [part])]
            yield name, rows or [found]


def heading_of(key: str) -> str:
    """Of a table or a column; p95 is "95 %"."""
    return f"{key[1:]} %" if key[1:].isdigit() else translate("Answers", str(HEADINGS.get(key, key)))


def _number(value: float) -> str:
    """About four digits, without a power of ten where that can be read."""
    return f"{value:,.0f}" if 1e4 <= abs(value) < 1e15 else f"{value:,.4g}"


def _shown(value: object, write: Callable[[float], str] = _number) -> str:
    """A value in words; `write` is for estimates."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "✓" if value else "✗"
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, Mapping) and {"value", "low", "high"} == set(value):
        return _with_ends(value, write)
    return str(value)


def _with_ends(value: Mapping[str, Any], write: Callable[[float], str]) -> str:
    """A quantile with what is known of its interval: few runs leave it open, on one side or on both."""
    shown = {key: write(end) for key, end in value.items() if end is not None}
    text = "{value}"
    if len(dict.fromkeys(shown.values())) == 1:
        return shown["value"]  # it is the same in all runs, or nothing is known of the ends
    if len(shown) == len(value):
        text = translate("Answers", "{value} ({low} to {high})")
    elif "low" in shown:
        text = translate("Answers", "{value} (at least {low})")
    elif "high" in shown:
        text = translate("Answers", "{value} (at most {high})")
    return text.format(**shown)
