"""The size that an HPA without `behavior` wants (Kubernetes 1.36, pkg/controller/podautoscaler).

Pods that are being deleted are not seen. The pods of these experiments get ready once and stay so.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.reference.pipeline import Figure


class Seen(NamedTuple):
    """A pod as the autoscaler sees it."""

    start_us: int
    ready_us: int
    figure: Figure | None


@dataclass(frozen=True)
class Settings:
    """Of the controller and of the autoscaler."""

    request_cores: float
    target_percent: int
    least: int
    most: int
    window_us: int
    """Downscale stabilization."""
    initialization_us: int
    tolerance: float = 0.1


@dataclass
class Autoscaler:
    """Its memory are its recommendations within the window."""

    settings: Settings
    advised: list[tuple[int, int]] = field(default_factory=list)

    def size(self, now_us: int, current: int, pods: Sequence[Seen]) -> int:
        """What it sets now."""
        wanted = wanted_size(self.settings, now_us, current, pods)
        if wanted is None:
            return current
        kept = [(at_us, size) for at_us, size in self.advised if at_us >= now_us - self.settings.window_us]
        self.advised = [*kept, (now_us, wanted)]
        stable = max(size for _, size in self.advised)
        return max(self.settings.least, min(stable, self.settings.most, max(2 * current, 4)))


def wanted_size(settings: Settings, now_us: int, current: int, pods: Sequence[Seen]) -> int | None:
    """Before stabilization and limits; None without a figure of any ready pod."""
    started = [pod for pod in pods if pod.ready_us <= now_us]
    measured = [pod for pod in started if pod.figure is not None]
    counted = [pod.figure.use for pod in measured if not _too_early(settings, now_us, pod)]
    missing = len(started) - len(measured)
    unready = len(pods) - len(counted) - missing
    if not counted:
        return None
    ratio = _ratio(settings, counted)
    rising = unready if ratio > 1.0 else 0
    if not missing and not rising:
        return current if _calm(settings, ratio) else math.ceil(ratio * len(counted))
    if missing and ratio != 1.0:
        counted += [0.0 if ratio > 1.0 else settings.request_cores] * missing
    counted += [0.0] * rising
    again = _ratio(settings, counted)
    if _calm(settings, again) or (ratio < 1.0 < again) or (again < 1.0 < ratio):
        return current
    size = math.ceil(again * len(counted))
    return current if (size > current and again < 1.0) or (size < current and again > 1.0) else size


def _too_early(settings: Settings, now_us: int, pod: Seen) -> bool:
    """Within the initialization period a figure counts only if its whole window began after the pod got ready."""
    young = now_us < pod.start_us + settings.initialization_us
    return young and pod.figure.at_us < pod.ready_us + pod.figure.window_us


def _ratio(settings: Settings, use: Sequence[float]) -> float:
    """Utilization in whole per cent over the target; use in whole milli-CPU, rounded up (Quantity.MilliValue)."""
    milli = sum(math.ceil(1000 * one - 1e-6) for one in use)
    return int(100 * milli / (1000 * settings.request_cores * len(use))) / settings.target_percent


def _calm(settings: Settings, ratio: float) -> bool:
    return abs(1.0 - ratio) <= settings.tolerance
