"""When an evaluation would only repeat the previous one and can be skipped.

Proof. Let an evaluation at size c have proposed c from metrics that do not depend on time, kept the size c,
and met no limit and no window. While pods, samples and series stay the same, the next evaluation proposes
the same c. Every recommendation that counts then either counted before or is c, since windows only move
forward. Without `behavior` the highest of them was c and still is; with `behavior` c lies between the lowest
and the highest in any case. So the size stays c, minimum and maximum hold as before, no event is sent, and
setting the same conditions again changes nothing: the status is a fixed point. Only the memory gains an entry,
which `HpaMemory.with_latest` adds for all of them when the next evaluation needs it.

The same holds, without `behavior`, where c has been kept against a proposal p that stays the same: by a limit, which
does not move, or by a higher recommendation within the window. None above that one counts, so the highest stays what it
is until the newest entry of its height leaves the window: `repeats_until_us`.
"""

from planner.hpa.rules.conditions import ConditionReason
from planner.hpa.rules.normalization import Normalized
from planner.hpa.rules.reconcile import EvaluationOutcome
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import HpaSpec

NEVER_US, FOREVER_US = -1, 1 << 62


def is_at_rest(outcome: EvaluationOutcome, current: int) -> bool:
    """Whether the outcome repeats itself as long as the metrics propose the same."""
    normalized, metrics = outcome.normalized, outcome.metrics
    if normalized is None or metrics is None or metrics.has_error or current == 0:
        return False
    return outcome.replicas == current and rests(metrics.replicas, normalized, current)


def rests(want: int | None, normalized: Normalized, current: int) -> bool:
    """Whether the proposal is the current size and neither a limit nor a window applies."""
    is_free = normalized.able is ConditionReason.READY_FOR_NEW_SCALE and not normalized.is_limited
    return is_free and want == current == normalized.replicas


def repeats_until_us(want: int, normalized: Normalized, spec: HpaSpec, settings: HpaSettings) -> int:
    """The last moment at which an evaluation gives the same, as long as the metrics propose `want`; NEVER_US: none."""
    if spec.behavior is not None:
        return NEVER_US
    if normalized.stabilized == want:
        return FOREVER_US
    entries = normalized.memory.recommendations
    newest_us = max(entry.time_us for entry in entries if entry.replicas == normalized.stabilized)
    return newest_us + settings.downscale_stabilization_us


def longest_window_us(spec: HpaSpec, settings: HpaSettings) -> int:
    """The longest time for which a recommendation may count."""
    windows = [settings.downscale_stabilization_us]
    if spec.behavior is not None:
        rules = (spec.behavior.scale_up, spec.behavior.scale_down)
        windows += [one.stabilization_window_us for one in rules if one.stabilization_window_us is not None]
    return max(windows)
