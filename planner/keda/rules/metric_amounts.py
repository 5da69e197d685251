"""Values of metrics on their way through the API, which knows whole thousandths only.

KEDA 2.18, pkg/scalers/scaler.go, GenerateMetricInMili and GetMetricTargetMili.
"""

import math

_INT64_MIN = -(2**63)
_INT64_MAX = 2**63 - 1


def milli_of(value: float) -> int:
    """Thousandths, truncated. What is no number or too large becomes the smallest int64, as on usual processors."""
    milli = value * 1000
    if not math.isfinite(milli) or not _INT64_MIN <= milli <= _INT64_MAX:
        return _INT64_MIN
    return int(milli)


def carried(value: float) -> float:
    """What is left of a value at the other end."""
    return milli_of(value) * 0.001  # not a division by 1000, which rounds otherwise
