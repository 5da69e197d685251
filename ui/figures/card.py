"""A card of the key figures, what it is read from, and how it compares with the baseline."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from ui.figures.change import Change, change_of
from ui.figures.readings import Readings
from ui.wording.figures import NOTHING, percent_text

translate = QCoreApplication.translate


@dataclass(frozen=True)
class FigureCard:
    """Texts of one card."""

    title: str
    value: str
    note: str = ""
    change: Change | None = None
    help: str = ""
    formula: str = ""
    """How the value is computed."""


@dataclass(frozen=True)
class CardReadings:
    """A run and its baseline as the cards read them."""

    now: Readings
    """At the cursor, or the newest."""
    run: Readings
    """Up to the time the run has reached."""
    now_baseline: Readings | None
    """The baseline at the moment of `now`, and below at that of `run`."""
    baseline: Readings | None
    is_summary: bool
    """The run is over and there is no cursor: the worst, totals and means count."""
    has_cursor: bool = False


Number = Callable[[Readings], float | None]


def change_so_far(
    view: CardReadings, of: Number, size: Callable[[float], str], *, more_is_better: bool = False
) -> Change | None:
    """The difference up to the time both runs have reached."""
    return _compare(view.run, view.baseline, of, size, more_is_better=more_is_better)


def change_now(
    view: CardReadings, of: Number, size: Callable[[float], str], *, more_is_better: bool = False
) -> Change | None:
    """The difference at the moment shown."""
    return _compare(view.now, view.now_baseline, of, size, more_is_better=more_is_better)


def _compare(
    run: Readings, baseline: Readings | None, of: Number, size: Callable[[float], str], *, more_is_better: bool
) -> Change | None:
    value = of(run)
    before = of(baseline) if baseline is not None else None
    if value is None or before is None:
        return None
    return change_of(value, before, size(abs(value - before)), more_is_better=more_is_better)


def points_text(ratio: float) -> str:
    """A difference of two shares, in points."""
    points = 100.0 * ratio
    return translate("KeyFigures", "{points} pt").format(points=f"{points:.1f}" if points >= 0.1 else f"{points:.2g}")


def whole_percent(ratio: float | None) -> str:
    """A share where decimals would not matter."""
    return NOTHING if ratio is None else percent_text(round(ratio, 2))
