"""How long a DaemonSet waits before it replaces a pod that failed on a node.

Source: Kubernetes 1.36, pkg/controller/daemon/daemon_controller.go, failedPodsBackoff.
"""

from dataclasses import dataclass

from planner.units import US_PER_MIN, US_PER_S

INITIAL_US = US_PER_S
LONGEST_US = 15 * US_PER_MIN
FORGIVEN_AFTER_US = 2 * LONGEST_US


@dataclass(frozen=True, slots=True)
class FailedPodBackoff:
    """State of one DaemonSet on one node: the next delay, and when a failed pod was last replaced; microseconds."""

    delay_us: int
    replaced_us: int


def replacement_due_us(state: FailedPodBackoff | None, failed_us: int) -> int:
    """When a pod that failed is replaced; `state`: None before the first failure, which is replaced at once."""
    if state is None or _is_forgiven(state, failed_us):
        return failed_us
    return max(failed_us, state.replaced_us + state.delay_us)


def after_replacement(state: FailedPodBackoff | None, now_us: int) -> FailedPodBackoff:
    """The state after a replacement: the next one waits twice as long."""
    if state is None or _is_forgiven(state, now_us):
        return FailedPodBackoff(INITIAL_US, now_us)
    return FailedPodBackoff(min(2 * state.delay_us, LONGEST_US), now_us)


def _is_forgiven(state: FailedPodBackoff, now_us: int) -> bool:
    return now_us - state.replaced_us > FORGIVEN_AFTER_US
