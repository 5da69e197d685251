"""Events of the run's periodic work: load steps, samples, syncs and report rows."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LoadTick:
    """A load step ends and the next begins."""


@dataclass(frozen=True, slots=True)
class MetricsTick:
    """The metrics pipeline samples every pod."""


@dataclass(frozen=True, slots=True)
class SeriesTick:
    """A reading of a metric series; its number in the plan."""

    number: int


@dataclass(frozen=True, slots=True)
class ProportionalPoll:
    """A proportional autoscaler looks at the cluster; its number in the plan."""

    number: int


@dataclass(frozen=True, slots=True)
class HpaTick:
    """All horizontal pod autoscalers are evaluated."""


@dataclass(frozen=True, slots=True)
class ScaledObjectPoll:
    """KEDA looks at the triggers of a ScaledObject; its number in the plan."""

    number: int


@dataclass(frozen=True, slots=True)
class ScaledJobPoll:
    """KEDA looks at the queues of a ScaledJob; its number in the plan."""

    number: int


@dataclass(frozen=True, slots=True)
class VpaRecommend:
    """The recommender of the vertical pod autoscalers makes its round."""


@dataclass(frozen=True, slots=True)
class VpaUpdate:
    """The updater of the vertical pod autoscalers makes its round."""


@dataclass(frozen=True, slots=True)
class VpaEviction:
    """An eviction by that updater has waited long enough for its rate limit."""


@dataclass(frozen=True, slots=True)
class SchedulerTick:
    """Timers of the scheduling queue."""


@dataclass(frozen=True, slots=True)
class AutoscalerTimer:
    """Something inside the Cluster Autoscaler is due."""


@dataclass(frozen=True, slots=True)
class AutoscalerLoop:
    """A loop of the Cluster Autoscaler begins."""

    serial: int


@dataclass(frozen=True, slots=True)
class RecordTick:
    """A row of the time series is due."""


@dataclass(frozen=True, slots=True)
class GatesRemoved:
    """All scheduling gates of a workload's pods are removed."""

    workload: int


@dataclass(frozen=True, slots=True)
class KarpenterWindow:
    """A batch window of Karpenter may close."""


@dataclass(frozen=True, slots=True)
class KarpenterTriggers:
    """Pods that still wait trigger Karpenter again."""


@dataclass(frozen=True, slots=True)
class KarpenterPass:
    """Karpenter's loop of disruption goes on."""

    serial: int


@dataclass(frozen=True, slots=True)
class KarpenterStep:
    """Karpenter's commands and drains go on."""


@dataclass(frozen=True, slots=True)
class KarpenterLook:
    """Drift, expiry and registration of a node are looked at by Karpenter."""

    name: str
