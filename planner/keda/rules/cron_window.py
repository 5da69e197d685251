"""Whether a cron trigger is active: KEDA 2.18, pkg/scalers/cron_scaler.go."""

from dataclasses import dataclass

from planner.plan.values.zoned_cron import ZonedCron
from planner.units import US_PER_S

_QUARTER_US = 15 * 60 * US_PER_S
"""Days begin on a quarter of an hour in every zone; which day a search begins on can matter to what it finds."""


@dataclass
class CronWindow:
    """From each start to the next end. The next ones are kept until they are past, or a day may have begun."""

    start: ZonedCron
    end: ZonedCron
    desired: int
    _until_us: int = -1
    _since_us: int = 0
    _is_active: bool = False

    def value(self, now_us: int) -> int:
        """Replicas that it wants at a moment, microseconds since 1970; 0 outside."""
        if not self._since_us <= now_us < self._until_us:
            start_us = self.start.next_due_us(now_us)
            end_us = self.end.next_due_us(now_us)
            self._is_active = start_us is None or (end_us is not None and end_us <= start_us)
            day_ends_us = (now_us // _QUARTER_US + 1) * _QUARTER_US
            self._since_us = now_us
            self._until_us = min(one for one in (start_us, end_us, day_ends_us) if one is not None)
        return self.desired if self._is_active else 0
