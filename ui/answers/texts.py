"""Figures of an experiment with their intervals, in words and numbers."""

import math
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from planner.experiments.answers.answer import FigureDifference
from planner.experiments.statistics.estimates import MeanEstimate
from planner.experiments.statistics.paired import DifferenceVerdict
from planner.record.result import Figure
from ui.figures.card import points_text
from ui.summary.figure_rows import figure_text
from ui.summary.known_figures import KnownFigure, known_figure, title_of
from ui.widgets.plain_table import Tone

translate = QCoreApplication.translate
_MINUS = "−"


@dataclass(frozen=True)
class FigureName:
    """A figure as "latency_p95_worst[shop]" names it."""

    name: str

    @property
    def base(self) -> str:
        """Without its subject."""
        return self.name.partition("[")[0]

    @property
    def subject(self) -> str:
        """What it is about; empty for the whole cluster."""
        return self.name.removesuffix("]").partition("[")[2]

    @property
    def known(self) -> KnownFigure:
        """Title, help and direction."""
        return known_figure(self.base)

    @property
    def shown(self) -> str:
        """Title and subject."""
        title = title_of(self.known)
        return (
            translate("Answers", "{title} · {subject}").format(title=title, subject=self.subject)
            if self.subject
            else title
        )


@dataclass(frozen=True)
class Writing:
    """How the values of one figure are written."""

    name: FigureName
    unit: str
    currency: str

    def value(self, value: float) -> str:
        """A value with its unit."""
        return figure_text(self.name.base, Figure(value, self.unit), self.currency)

    def amount(self, value: float) -> str:
        """The size of a difference, without its sign."""
        if self.unit == "ratio":
            return points_text(abs(value))
        if self.name.base.endswith("_at"):
            return figure_text("", Figure(abs(value), "s"), self.currency)
        return self.value(abs(value))

    def signed(self, value: float) -> str:
        """A difference with its sign."""
        if not math.isfinite(value):
            return "∞" if value > 0 else f"{_MINUS}∞"
        sign = "" if value == 0.0 else "+" if value > 0 else _MINUS
        return f"{sign}{self.amount(value)}"

    def estimate(self, estimate: MeanEstimate) -> str:
        """A mean with its interval; a constant alone."""
        if estimate.method == "constant":
            return self.value(estimate.mean)
        mean, (low, high) = self.value(estimate.mean), self.ends(estimate)
        return translate("Answers", "{mean} ({low} to {high})").format(mean=mean, low=low, high=high)

    def ends(self, estimate: MeanEstimate) -> tuple[str, str]:
        """Both ends of an interval."""
        return self._end(estimate.low), self._end(estimate.high)

    def between(self, estimate: MeanEstimate) -> str:
        """The interval alone; empty for a constant."""
        return "" if estimate.method == "constant" else _between(*self.ends(estimate))

    def signed_between(self, one: FigureDifference) -> str:
        """The interval of a difference alone; empty for a constant."""
        estimate = one.estimate
        if estimate.method == "constant" or one.verdict is DifferenceVerdict.SAME:
            return ""
        return _between(self.signed(estimate.low), self.signed(estimate.high))

    def _end(self, value: float) -> str:
        return self.value(value) if math.isfinite(value) else "∞" if value > 0 else f"{_MINUS}∞"

    def difference(self, one: FigureDifference) -> str:
        """A difference with its interval."""
        estimate = one.estimate
        if one.verdict is DifferenceVerdict.SAME:
            return "0"
        if estimate.method == "constant":
            return self.signed(estimate.mean)
        low, high = self.signed(estimate.low), self.signed(estimate.high)
        text = translate("Answers", "{mean} ({low} to {high})")
        return text.format(mean=self.signed(estimate.mean), low=low, high=high)


def _between(low: str, high: str) -> str:
    return translate("Answers", "{low} to {high}").format(low=low, high=high)


def verdict_text(name: FigureName, one: FigureDifference) -> str:
    """What can be said of a difference, in one or two words."""
    if one.verdict is DifferenceVerdict.SAME:
        return translate("Answers", "the same")
    if one.verdict is DifferenceVerdict.UNDECIDED:
        return translate("Answers", "cannot be told apart")
    is_more, good = one.verdict is DifferenceVerdict.HIGHER, name.known.more_is_better
    if name.base == "cost" or name.base.startswith("cost_"):
        return translate("Answers", "dearer") if is_more else translate("Answers", "cheaper")
    if good is None:
        return translate("Answers", "higher") if is_more else translate("Answers", "lower")
    return translate("Answers", "better") if is_more is good else translate("Answers", "worse")


def verdict_tone(name: FigureName, one: FigureDifference) -> Tone:
    """The colour that says the same as the verdict."""
    good = name.known.more_is_better
    if one.verdict in (DifferenceVerdict.SAME, DifferenceVerdict.UNDECIDED) or good is None:
        return Tone.MUTED
    return Tone.GOOD if (one.verdict is DifferenceVerdict.HIGHER) is good else Tone.BAD


def share_text(share: float) -> str:
    """+57 %."""
    percent = 100.0 * abs(share)
    digits = 0 if percent >= 10.0 else 1
    return f"{'+' if share >= 0 else _MINUS}{percent:,.{digits}f} %"
