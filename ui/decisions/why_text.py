"""The tables behind a decision as rich text."""

from html import escape

from planner.record.decisions import Decision
from planner.record.text.tables import Grid
from ui.theme.theme import Theme
from ui.wording.explained import reasoning_of, why_of
from ui.wording.numbers import clock_text


def why_html(decision: Decision, theme: Theme) -> str:
    """The whole explanation of one decision."""
    reasons = reasoning_of(decision)
    head = (
        f'<p style="margin:0 0 4px 0"><b>{escape(reasons.title)}</b> '
        f'<span style="color:{theme.muted}">{clock_text(decision.time_us / 1e6)}</span></p>'
    )
    sentence = f'<p style="margin:8px 0 0 0; color:{theme.muted}">{escape(why_of(decision))}</p>'
    return head + "".join(_grid(grid, theme) for grid in reasons.grids) + sentence


def answers_html(name: str, time_us: int, answers: list[str], theme: Theme) -> str:
    """Sentences about an object at a time."""
    head = f'<p><b>{escape(name)}</b> <span style="color:{theme.muted}">{clock_text(time_us / 1e6)}</span></p>'
    return head + "".join(f"<p>{escape(answer)}</p>" for answer in answers)


def _grid(grid: Grid, theme: Theme) -> str:
    sides = [_side([row[column] for row in grid.rows]) for column in range(len(grid.columns))]
    head = "".join(_cell("th", *cell, theme.muted) for cell in zip(grid.columns, sides, strict=True))
    rows = "".join(_row(row, sides, position in grid.chosen, theme) for position, row in enumerate(grid.rows))
    return (
        f'<p style="margin:6px 0 2px 0; color:{theme.muted}"><b>{escape(grid.title)}</b></p>'
        f'<table width="100%" cellspacing="0" cellpadding="3">'
        f'<tr style="background:{theme.raised}">{head}</tr>{rows}</table>'
    )


def _row(texts: tuple[str, ...], sides: list[str], is_chosen: bool, theme: Theme) -> str:
    ground = f' style="background:{theme.selection}"' if is_chosen else ""
    marked = (f"{texts[0]} ✓", *texts[1:]) if is_chosen else texts
    cells = (_cell("td", text, side, theme.text) for text, side in zip(marked, sides, strict=True))
    return f"<tr{ground}>{''.join(cells)}</tr>"


def _cell(tag: str, text: str, side: str, color: str) -> str:
    return f'<{tag} align="{side}" style="color:{color}">{escape(text)}</{tag}>'


def _side(texts: list[str]) -> str:
    """Columns of numbers are right-aligned, all others left-aligned."""
    are_numbers = all(text.removeprefix("-").replace(".", "", 1).isdigit() or not text for text in texts)
    return "right" if are_numbers and any(texts) else "left"
