"""Figures of an experiment with their intervals, in words and numbers."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from planner.experiments.answers.answer import FigureDifference
from planner.experiments.answers.numbers import beyond_bound
from planner.experiments.statistics.estimates import MeanEstimate
from planner.experiments.statistics.paired import DifferenceVerdict
from planner.language.phrases import said
from planner.record.result import Figure
from planner.record.text.latency_bounds import LatencyBounds
from planner.reports.content.known_figures import KnownFigure, known_figure
from ui.figures.card import points_text
from ui.summary.figure_rows import figure_text
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
        title = self.known.full_title
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
    latencies: LatencyBounds | None = None
    """What a latency can be at most."""

    def value(self, value: float) -> str:
        """A value with its unit; "≥ 10 s (time-out)" for a latency at its bound."""
        return said(beyond_bound(self.name.name, value, self.unit, self.latencies)) or self.plain(value)

    def plain(self, value: float) -> str:
        """A value with its unit, as on an axis."""
        return figure_text(self.name.base, Figure(value, self.unit), self.currency)

    def amount(self, value: float) -> str:
        """The size of a difference, without its sign."""
        if self.unit == "ratio":
            return points_text(abs(value))
        if self.name.base.endswith("_at"):
            return figure_text("", Figure(abs(value), "s"), self.currency)
        return self.plain(abs(value))

    def signed(self, value: float) -> str:
        """A difference with its sign."""
        sign = "" if value == 0.0 else "+" if value > 0 else _MINUS
        return f"{sign}{self.amount(value)}"

    def estimate(self, estimate: MeanEstimate) -> str:
        """A mean with its interval; a constant, a single run, and a latency at its bound alone."""
        if not estimate.has_interval or beyond_bound(self.name.name, estimate.mean, self.unit, self.latencies):
            return self.value(estimate.mean)
        mean, (low, high) = self.value(estimate.mean), self.ends(estimate)
        return translate("Answers", "{mean} ({low} to {high})").format(mean=mean, low=low, high=high)

    def ends(self, estimate: MeanEstimate) -> tuple[str, str]:
        """Both ends of an interval."""
        return self.plain(estimate.low), self.plain(estimate.high)

    def between(self, estimate: MeanEstimate) -> str:
        """The interval alone; empty where there is none."""
        return _between(*self.ends(estimate)) if estimate.has_interval else _no_interval(estimate)

    def signed_between(self, one: FigureDifference) -> str:
        """The interval of a difference alone; empty where there is none."""
        estimate = one.estimate
        if not estimate.has_interval:
            return _no_interval(estimate)
        return _between(self.signed(estimate.low), self.signed(estimate.high))

    def difference(self, one: FigureDifference) -> str:
        """A difference with its interval."""
        estimate = one.estimate
        if one.verdict is DifferenceVerdict.SAME:
            return "0"
        if not estimate.has_interval:
            return self.signed(estimate.mean)
        low, high = self.signed(estimate.low), self.signed(estimate.high)
        text = translate("Answers", "{mean} ({low} to {high})")
        return text.format(mean=self.signed(estimate.mean), low=low, high=high)


def _between(low: str, high: str) -> str:
    return translate("Answers", "{low} to {high}").format(low=low, high=high)


def _no_interval(estimate: MeanEstimate) -> str:
    return translate("Answers", "no interval from one seed") if estimate.n == 1 else ""


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
