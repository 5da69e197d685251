"""The tables behind a decision as rich text."""

from collections.abc import Sequence
from html import escape

from planner.plan.values.money import in_currency
from planner.record.decisions import Decision
from planner.record.text.tables import Grid, Money
from ui.theme.theme import Theme
from ui.wording.explained import reasoning_of, why_of
from ui.wording.numbers import clock_text

_WIDTH = "99%"
"""Of the view; with its columns rounded to whole pixels, a table of 100 % is wider than that."""
_PAIR, _GAP_PX = 2, 10
_NO_BREAK = "\N{NO-BREAK SPACE}"


def why_html(decision: Decision, theme: Theme, currency: str = "") -> str:
    """The whole explanation of one decision; `currency` is that of its plan."""
    reasons = reasoning_of(decision)
    head = (
        f'<p style="margin:0 0 4px 0"><b>{escape(reasons.title)}</b> '
        f'<span style="color:{theme.muted}">{clock_text(decision.time_us / 1e6)}</span></p>'
    )
    sentence = f'<p style="margin:8px 0 0 0; color:{theme.muted}">{escape(why_of(decision, currency))}</p>'
    return head + "".join(_grid(grid, theme, currency) for grid in reasons.grids) + sentence


def answers_html(name: str, time_us: int, answers: list[str], theme: Theme) -> str:
    """Sentences about an object at a time."""
    head = f'<p><b>{escape(name)}</b> <span style="color:{theme.muted}">{clock_text(time_us / 1e6)}</span></p>'
    return head + "".join(f"<p>{escape(answer)}</p>" for answer in answers)


def _grid(grid: Grid, theme: Theme, currency: str) -> str:
    sides = [_side([row[column] for row in grid.rows]) for column in range(len(grid.columns))]
    head = _cells("th", grid.columns, sides, theme.muted)
    written = [tuple(_written(text, currency) for text in row) for row in grid.rows]
    rows = "".join(_row(row, sides, position in grid.chosen, theme) for position, row in enumerate(written))
    return (
        f'<p style="margin:6px 0 2px 0; color:{theme.muted}"><b>{escape(grid.title)}</b></p>'
        f'<table width="{_WIDTH}" cellspacing="0" cellpadding="3">'
        f'<tr style="background:{theme.raised}">{head}</tr>{rows}</table>'
    )


def _row(texts: tuple[str, ...], sides: list[str], is_chosen: bool, theme: Theme) -> str:
    ground = f' style="background:{theme.selection}"' if is_chosen else ""
    marked = (f"{texts[0]}{_NO_BREAK}✓", *texts[1:]) if is_chosen else texts
    return f"<tr{ground}>{_cells('td', marked, sides, theme.text)}</tr>"


def _cells(tag: str, texts: Sequence[str], sides: list[str], color: str) -> str:
    """Of one row; what was looked at keeps a distance from what was found."""
    gap = f"; padding-right:{_GAP_PX}px" if len(texts) == _PAIR else ""
    return "".join(
        f'<{tag} align="{side}" style="color:{color}{gap}">{escape(text)}</{tag}>'
        for text, side in zip(texts, sides, strict=True)
    )


def _written(text: str, currency: str) -> str:
    """A cell as it is read: money has its currency."""
    return in_currency(text, currency) if text and currency and isinstance(text, Money) else text


def _side(texts: list[str]) -> str:
    """Columns of numbers are right-aligned, all others left-aligned."""
    are_numbers = all(text.removeprefix("-").replace(".", "", 1).isdigit() or not text for text in texts)
    return "right" if are_numbers and any(texts) else "left"
