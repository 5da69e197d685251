"""Back-off of restarting containers, CrashLoopBackOff (spec/node-lifecycle.md section 9)."""

from dataclasses import dataclass

from planner.units import US_PER_S

INITIAL_US = 10 * US_PER_S
FORGIVEN_AFTER_US = 600 * US_PER_S


@dataclass(frozen=True, slots=True)
class RestartBackoff:
    """State of one container: the next delay, and when its last restart was decided; microseconds."""

    delay_us: int
    decided_us: int


def next_restart(state: RestartBackoff | None, exited_us: int, longest_us: int) -> RestartBackoff:
    """State after the restart that follows an exit; its `decided_us` is when the container starts again.

    `state`: None at the first exit ever. A container that ran longer than ten minutes is forgiven.
    """
    initial_us = min(INITIAL_US, longest_us)
    if state is None or exited_us - state.decided_us > FORGIVEN_AFTER_US:
        return RestartBackoff(initial_us, exited_us)
    return RestartBackoff(min(2 * state.delay_us, longest_us), exited_us + state.delay_us)
