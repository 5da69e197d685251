"""The answer of an experiment, whatever its kind."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from planner.experiments.execution.outcome import RunOutcome
from planner.experiments.statistics.estimates import MeanEstimate
from planner.experiments.statistics.paired import DifferenceVerdict
from planner.experiments.statistics.quantiles import Band
from planner.record.text.latency_bounds import LatencyBounds


@dataclass(frozen=True)
class FigureDifference:
    """How much more variant `b` has than variant `a`, paired by seed."""

    a: str
    b: str
    estimate: MeanEstimate
    verdict: DifferenceVerdict
    correlation: float | None = None
    """Of both over the seeds; at most 0 where common random numbers did not help; None if unknown."""


@dataclass(frozen=True)
class FigureAnswer:
    """One key figure in all variants."""

    unit: str
    variants: Mapping[str, MeanEstimate]
    """Those that have it, by name."""
    differences: tuple[FigureDifference, ...] = ()
    best: Mapping[str, MeanEstimate] = field(default_factory=dict)
    """Of more than two variants: the distance of each from the best other one, all intervals holding together. Empty
    for figures of which neither more nor less is better."""


@dataclass(frozen=True)
class SloAnswer:
    """How sure the SLO of a workload is."""

    broken: Mapping[str, MeanEstimate]
    """Per variant the probability that it is broken in a run (Wilson interval)."""
    worst_seed: Mapping[str, int]
    """Per variant the seed with the lowest attainment, to be opened as an ordinary run."""


@dataclass(frozen=True)
class VariantAnswer:
    """What a variant was."""

    name: str
    plan_digest: str
    changes: tuple[str, ...] = ()
    """What differs from the first variant, in words."""


class TitledTable(NamedTuple):
    """A table that an answer shows below its main one; the first row is the heading."""

    title: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class ExperimentAnswer:
    """What came of an experiment. Kinds add what is theirs in `more`."""

    kind: str
    variants: tuple[VariantAnswer, ...]
    figures: Mapping[str, FigureAnswer]
    seeds: tuple[int, ...]
    """All that count: those for which every variant has run."""
    confidence: float
    """Of the intervals, as a share."""
    looked_at: tuple[str, ...] = ()
    """The figures that matter most to the question, most important first."""
    sentence: str = ""
    """The answer in one sentence."""
    notes: tuple[str, ...] = ()
    """What should be known of it: variants that were refused, intervals wider than asked for."""
    slos: Mapping[str, SloAnswer] = field(default_factory=dict)
    first_parting: Mapping[str, Any] | None = None
    """The first decision that differs between the first two variants (`execution.parting`)."""
    bands: Mapping[str, Mapping[str, Band]] = field(default_factory=dict)
    """By series and variant."""
    band_time_us: tuple[int, ...] = ()
    outcomes: Mapping[str, tuple[RunOutcome, ...]] = field(default_factory=dict)
    """By variant, one per seed: the cells that the answer rests on."""
    latencies: LatencyBounds | None = None
    """What latencies of its runs can be at most; None without a run."""
    table: tuple[tuple[str, ...], ...] = ()
    """What this kind shows in place of the table of figures; the first row is the heading."""
    tables: tuple[TitledTable, ...] = ()
    """What else this kind shows, below that table."""
    stopped: bool = False
    """Cancelled before its end; the answer rests on what was finished."""
    more: Mapping[str, Any] = field(default_factory=dict)
    """What only this kind has, as JSON has it."""
