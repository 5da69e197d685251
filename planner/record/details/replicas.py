"""Details of decisions about the number of replicas."""

from typing import NamedTuple

Range = tuple[float, float]
"""Lowest and highest value."""


class ReplicaCalculation(NamedTuple):
    """How one metric led to a number of replicas."""

    replicas: int
    """The raw proposal, before windows and limits."""
    ratio: float
    """Measured over target; after the second pass, if there was one."""
    tolerance: float
    """Of the direction in which the ratio points."""
    value_milli: int | None
    """Measured mean of a pod in milli-units (CPU: milli-CPU); the total where `is_total`; None without any pod."""
    target: int
    """Percent of the requests where `utilization_pct` is known, else milli-units."""
    utilization_pct: int | None = None
    is_total: bool = False
    first_ratio: float | None = None
    """Measured over target before pods without a usable sample were added; None where there was one pass only."""
    ready: int | None = None
    """Pods whose samples count; None where the metric does not look at pods."""
    unready: int = 0
    missing: int = 0
    is_memory: bool = False
    """Units are bytes."""


class MetricAnswer(NamedTuple):
    """What one of several metrics proposed, or why it failed."""

    metric: str
    replicas: int | None
    error: str = ""


class HpaCondition(NamedTuple):
    """A condition of an autoscaler: what `kubectl describe hpa` shows."""

    type: str
    """For example ScalingLimited."""
    status: bool
    reason: str


class Evaluation(NamedTuple):
    """One evaluation of a HorizontalPodAutoscaler, from the metrics to the size. Codes are those of Kubernetes."""

    hpa: str
    current: int
    desired: int
    metric: str = ""
    """The metric that decided or, without a proposal, the first that failed; in the words of the HPA's events."""
    calculation: ReplicaCalculation | None = None
    """That metric's proposal; None if no metric was read or all that count failed."""
    answers: tuple[MetricAnswer, ...] = ()
    """All metrics in the order of the specification; empty where there is only one."""
    reason: str = ""
    """Reason of the rescale, or code of the failure."""
    stabilized: int | None = None
    """The size that the stabilization windows allow; None where they left the proposal as it was."""
    held: str = ""
    """Reason of AbleToScale if they did not."""
    limited: str = ""
    """Reason of ScalingLimited if a rate or the range cut the size; ScaleUpDisabled and ScaleDownDisabled where
    `selectPolicy: Disabled` did."""
    conditions: tuple[HpaCondition, ...] = ()
    """In order of first appearance."""
    events: tuple[str, ...] = ()
    """Reasons of the events, each once."""
    ratios: Range | None = None
    """Of the ratio over this evaluation and its repeats; None where it did not move."""
    proposals: Range | None = None
    """Of the raw proposal, likewise."""

    def folded(self, later: "Evaluation") -> "Evaluation | None":
        """This one for both, if `later` keeps the size for the same reasons: only what was measured moved."""
        made = later.calculation
        if not self._is_like(later) or _pods(self.calculation) != _pods(made):
            return None
        return self if made is None else self.widened((made.ratio, made.ratio), (made.replicas, made.replicas))

    def widened(self, ratios: Range, proposals: Range) -> "Evaluation":
        """This one after repeats with these ratios and raw proposals."""
        if self.calculation is None:
            return self
        widened = (
            _widened(self.ratios, self.calculation.ratio, ratios),
            _widened(self.proposals, self.calculation.replicas, proposals),
        )
        return Evaluation(*self[:-2], *widened)

    def _is_like(self, other: "Evaluation") -> bool:
        """Whether everything but the measured numbers is equal; what differs most often comes first."""
        return (
            self.current == other.current
            and self.desired == other.desired
            and self.held == other.held
            and self.limited == other.limited
            and self.conditions == other.conditions
            and self.reason == other.reason
            and self.metric == other.metric
            and self.answers == other.answers
            and self.events == other.events
            and self.hpa == other.hpa
        )


def _pods(calculation: ReplicaCalculation | None) -> tuple[int | None, int, int]:
    return (None, 0, 0) if calculation is None else (calculation.ready, calculation.unready, calculation.missing)


def _widened(known: Range | None, first: float, more: Range) -> Range | None:
    if more == (first, first):
        return known
    low, high = known or (first, first)
    return min(low, more[0]), max(high, more[1])


class ProportionalSize(NamedTuple):
    """A size that follows the nodes and cores of the cluster."""

    autoscaler: str
    mode: str
    """linear or ladder."""
    current: int
    desired: int
    nodes: int
    cores: int


class TriggerReading(NamedTuple):
    """A trigger of KEDA at a poll."""

    trigger: str
    value: float | None
    """None: it failed."""
    activation: float
    """Above it the trigger is active."""


class KedaConditionState(NamedTuple):
    """A condition of an object of KEDA; `status` is None while unknown."""

    type: str
    status: bool | None
    reason: str


class EventScaling(NamedTuple):
    """A poll of KEDA that changed something: the size, or whether the object is active."""

    scaled_object: str
    current: int
    desired: int
    is_active: bool
    readings: tuple[TriggerReading, ...]
    condition: str
    """Reason of its condition Active, or of Ready where a trigger fails."""
    conditions: tuple[KedaConditionState, ...] = ()
    """After the poll."""


class JobsMade(NamedTuple):
    """Jobs that a ScaledJob made at a poll."""

    scaled_job: str
    created: int
    running: int
    """Unfinished jobs before."""
    readings: tuple[TriggerReading, ...]
    conditions: tuple[KedaConditionState, ...] = ()
    """After the poll."""


ReplicaDetails = Evaluation | ProportionalSize | EventScaling | JobsMade
