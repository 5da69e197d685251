"""How a figure compares with the baseline's: in words and signs, so that colour is never needed."""

from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


class Judgement(Enum):
    """What a difference means."""

    BETTER = auto()
    WORSE = auto()
    SAME = auto()


@dataclass(frozen=True)
class Change:
    """A difference to the baseline: its text and what it means."""

    text: str
    verdict: Judgement


def change_of(value: float, before: float, size: str, *, more_is_better: bool) -> Change:
    """The difference `value - before`, shown as `size` (its amount with unit, without sign)."""
    if value == before:
        return Change(translate("KeyFigures", "= baseline"), Judgement.SAME)
    is_more = value > before
    is_better = is_more is more_is_better
    text = (
        translate("KeyFigures", "{arrow} {size} better")
        if is_better
        else translate("KeyFigures", "{arrow} {size} worse")
    )
    return Change(
        text.format(arrow="▲" if is_more else "▼", size=size), Judgement.BETTER if is_better else Judgement.WORSE
    )
