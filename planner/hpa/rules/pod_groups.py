"""Which pods count, which are unready, missing or ignored (HPA v2, replica_calculator.go groupPods)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from planner.hpa.metrics.samples import Sample
from planner.hpa.rules.observations import ObservedPod, Phase, ReadyStatus
from planner.hpa.rules.settings import HpaSettings

CPU = "cpu"


@dataclass(frozen=True, slots=True)
class PodGroups:
    """Pods by group; first match wins in the order ignored, unready (Pending), missing, unready (cpu), ready."""

    ready_count: int
    unready: tuple[ObservedPod, ...]
    missing: tuple[ObservedPod, ...]
    ignored: tuple[ObservedPod, ...]


def group_pods(
    pods: Sequence[ObservedPod],
    samples: Mapping[str, Sample],
    resource: str,
    now_us: int,
    settings: HpaSettings,
) -> PodGroups:
    """Group the pods of a scale target. `resource` "" or memory skips the rows that hold for cpu only."""
    ready_count = 0
    unready, missing, ignored = [], [], []
    for pod in pods:
        sample = samples.get(pod.name)
        if pod.deleted or pod.phase is Phase.FAILED:
            ignored.append(pod)
        elif pod.phase is Phase.PENDING:
            unready.append(pod)
        elif sample is None:
            missing.append(pod)
        elif resource == CPU and is_cpu_unready(pod, sample, now_us, settings):
            unready.append(pod)
        else:
            ready_count += 1
    return PodGroups(ready_count, tuple(unready), tuple(missing), tuple(ignored))


def is_cpu_unready(pod: ObservedPod, sample: Sample, now_us: int, settings: HpaSettings) -> bool:
    """Whether a cpu sample is not to be trusted because the pod starts up or was never ready.

    Both comparisons are strict: at age exactly the initialization period the later rule holds, and a
    sample exactly one window after the transition counts.
    """
    if pod.ready is None or pod.start_us is None:
        return True
    not_ready = pod.ready is ReadyStatus.FALSE
    if pod.start_us + settings.cpu_initialization_us > now_us:
        return not_ready or sample.time_us < pod.ready_transition_us + sample.window_us
    return not_ready and pod.start_us + settings.initial_readiness_us > pod.ready_transition_us
