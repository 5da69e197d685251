"""A ScaledObject as the rules see it, and the HorizontalPodAutoscaler that is made of it.

KEDA 2.18, controllers/keda/hpa.go, apis/keda/v1alpha1. Amounts of metrics are floats, as upstream.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from planner.keda.rules.metric_amounts import milli_of

DEFAULT_MAX = 100
COMPOSITE = "composite-metric"
_WHOLE = re.compile(r"[+-]?[0-9]+")
_NAME = str.maketrans(dict.fromkeys("/.:%()", "-"))
_CRON = str.maketrans({"*": "x", "/": "Sl", "?": "Qm", " ": None, "\t": None})


class TriggerKind(StrEnum):
    """Kinds of triggers that differ in the rules."""

    CPU = "cpu"
    MEMORY = "memory"
    EXTERNAL = "external"
    """Anything that has a value: a query, a queue, a calendar."""


class MetricTarget(StrEnum):
    """What the target of a trigger means."""

    AVERAGE_VALUE = "AverageValue"
    VALUE = "Value"
    UTILIZATION = "Utilization"


@dataclass(frozen=True)
class TriggerSpec:
    """One trigger. `own_name`: as its scaler calls the metric; `name`: as formulas call it."""

    kind: TriggerKind
    own_name: str = ""
    name: str = ""
    target: float = 1.0
    activation: float = 0.0
    target_type: MetricTarget = MetricTarget.AVERAGE_VALUE
    container: str = ""
    cached: bool = False
    """The HPA gets the value of the last poll."""

    @property
    def is_external(self) -> bool:
        """Whether it has a value of its own."""
        return self.kind is TriggerKind.EXTERNAL


class FallbackBehavior(StrEnum):
    """Which size a failing metric stands for."""

    STATIC = "static"
    CURRENT = "currentReplicas"
    CURRENT_IF_HIGHER = "currentReplicasIfHigher"
    CURRENT_IF_LOWER = "currentReplicasIfLower"


@dataclass(frozen=True)
class FallbackSpec:
    """What a metric that keeps failing is taken to be."""

    threshold: int
    replicas: int
    behavior: FallbackBehavior = FallbackBehavior.STATIC


@dataclass(frozen=True)
class Modifiers:
    """A formula in place of the triggers' own values."""

    formula: str
    target: float
    activation: float = 0.0
    target_type: MetricTarget = MetricTarget.AVERAGE_VALUE


@dataclass(frozen=True)
class ScaledObjectSpec:
    """Bounds, times and triggers. Times in microseconds."""

    name: str
    triggers: Sequence[TriggerSpec]
    polling_us: int = 30_000_000
    cooldown_us: int = 300_000_000
    initial_cooldown_us: int = 0
    given_min: int | None = None
    max_replicas: int = DEFAULT_MAX
    idle_replicas: int | None = None
    fallback: FallbackSpec | None = None
    modifiers: Modifiers | None = None
    hpa_name: str = ""

    @property
    def min_replicas(self) -> int:
        """Least replicas while active; 0 if none are given."""
        return self.given_min or 0

    @property
    def usable_fallback(self) -> FallbackSpec | None:
        """The fallback as queries use it: with a formula only if that one's target is a whole number above 0."""
        target = None if self.modifiers is None else self.modifiers.target
        return self.fallback if target is None or (target > 0 and target == int(target)) else None


@dataclass(frozen=True)
class Pauses:
    """What the annotations of a ScaledObject say at present."""

    replicas: str | None = None
    """Text of paused-replicas."""
    scale_in: bool = False
    scale_out: bool = False
    force_activation: bool = False


@dataclass(frozen=True)
class HpaMetricSpec:
    """A metric of the autoscaler. `source`: ContainerResource, External or Resource."""

    source: str
    name: str
    target_type: MetricTarget
    target_milli: int
    """Thousandths; whole percent for Utilization."""
    container: str = ""


@dataclass(frozen=True)
class DerivedHpa:
    """The autoscaler that KEDA creates."""

    name: str
    min_replicas: int
    max_replicas: int
    metrics: tuple[HpaMetricSpec, ...]


def metric_names(triggers: Sequence[TriggerSpec]) -> list[str]:
    """Names of the external metrics, in order: the index counts all triggers."""
    return [metric_name(at, one) for at, one in enumerate(triggers) if one.is_external]


def metric_name(index: int, trigger: TriggerSpec) -> str:
    """Name of the external metric of a trigger."""
    return f"s{index}-{trigger.own_name.translate(_NAME)}"


def cron_name(timezone: str, start: str, end: str) -> str:
    """How the cron scaler calls its metric."""
    return f"cron-{timezone}-{start.translate(_CRON)}-{end.translate(_CRON)}"


def paused_count(text: str) -> int | None:
    """The number that the annotation paused-replicas says; None if it is none of 32 bits."""
    if not _WHOLE.fullmatch(text) or not -(2**31) <= int(text) < 2**31:
        return None
    return int(text)


def hpa_of(spec: ScaledObjectSpec, pauses: Pauses) -> DerivedHpa | None:
    """The autoscaler; None if a wrong number of paused replicas keeps KEDA from making one."""
    least, most = spec.min_replicas or 1, spec.max_replicas
    if pauses.replicas is not None:
        paused = paused_count(pauses.replicas)
        if paused is None:
            return None
        least = most = paused or 1
    metrics = [_metric(at, one) for at, one in enumerate(spec.triggers)]
    if spec.modifiers is not None:
        metrics = [one for one in metrics if one.source == "Resource"]
        target = milli_of(spec.modifiers.target)
        metrics.append(HpaMetricSpec("External", COMPOSITE, spec.modifiers.target_type, target))
    ordered = tuple(sorted(metrics, key=lambda one: one.source))
    return DerivedHpa(spec.hpa_name or f"keda-hpa-{spec.name}", least, most, ordered)


def _metric(index: int, trigger: TriggerSpec) -> HpaMetricSpec:
    if trigger.is_external:
        name = metric_name(index, trigger)
        return HpaMetricSpec("External", name, trigger.target_type, milli_of(trigger.target))
    source = "ContainerResource" if trigger.container else "Resource"
    unit = 1 if trigger.target_type is MetricTarget.UTILIZATION else 1000
    target = round(trigger.target * unit)
    return HpaMetricSpec(source, trigger.kind.value, trigger.target_type, target, trigger.container)
