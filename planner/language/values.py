"""Values as people read them, in every view and report."""

import math

from planner.language.translation import tr

NOTHING = "–"
_BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400


def count(value: float) -> str:
    """1,204."""
    return NOTHING if not math.isfinite(value) else f"{value:,.0f}"


def number(value: float) -> str:
    """About three digits: 0.123, 18.2, 1,204."""
    if not math.isfinite(value):
        return NOTHING
    size = abs(value)
    if size >= 100 or value == 0.0:
        return f"{value:,.0f}"
    digits = 1 if size >= 10 else 2 if size >= 1 else 3
    return f"{value:.{digits}f}".rstrip("0").rstrip(".")


def percent(ratio: float) -> str:
    """98.7 %; never 100 % for less, and never 0 % for more."""
    if not math.isfinite(ratio):
        return NOTHING
    value = 100.0 * ratio
    for digits in (1, 2, 3):
        text = f"{value:.{digits}f}"
        if (float(text) not in (0.0, 100.0)) or value in (0.0, 100.0):
            return f"{text.rstrip('0').rstrip('.')} %"
    return tr("below 0.001 %") if value < 50 else tr("above 99.999 %")


def span(seconds: float) -> str:
    """0.4 s, 41 s, 3m 15s, 2h 10m, 3d 4h."""
    if not math.isfinite(seconds):
        return NOTHING
    whole = round(seconds)
    if whole < 2 * _MINUTE:
        return f"{seconds:.1f} s" if whole < 10 and seconds != whole else f"{whole} s"
    if whole < _HOUR:
        return _two(whole, _MINUTE, "m", 1, "s")
    return _two(whole, _HOUR, "h", _MINUTE, "m") if whole < 2 * _DAY else _two(whole, _DAY, "d", _HOUR, "h")


def _two(whole: int, big: int, big_name: str, small: int, small_name: str) -> str:
    rest = whole % big // small
    return f"{whole // big}{big_name}" + (f" {rest}{small_name}" if rest else "")


def clock(seconds: float) -> str:
    """Simulated time as hh:mm:ss; hours go on counting after the first day."""
    whole = math.floor(seconds + 0.5)
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def latency(milliseconds: float) -> str:
    """182 ms, 10.1 s; infinite where requests of that percentile are lost."""
    if math.isinf(milliseconds):
        return tr("no answer")
    if milliseconds >= 60_000:
        return tr("{number} min", number=number(milliseconds / 60000))
    return (
        f"{number(milliseconds / 1000)} s" if milliseconds >= 1000 else tr("{number} ms", number=number(milliseconds))
    )


def size(count_of_bytes: float) -> str:
    """142 GiB."""
    if not math.isfinite(count_of_bytes):
        return NOTHING
    power = min(int(math.log2(count_of_bytes)) // 10, len(_BINARY) - 1) if count_of_bytes >= 1 else 0
    return f"{number(count_of_bytes / 1024**power)} {_BINARY[power]}"
