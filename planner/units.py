"""Quantities and durations: text outside, integers inside.

CPU is milli-CPU, memory and storage are bytes, time is microseconds. Quantities are written as
Kubernetes writes them ("250m", "512Mi"); rounding is upwards to the whole unit, as in
resource.Quantity.Value() and MilliValue().
"""

import re
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import lru_cache

from planner.language.translation import tr

US_PER_MS = 1_000
US_PER_S = 1_000_000
US_PER_MIN = 60 * US_PER_S
US_PER_H = 3_600 * US_PER_S
US_PER_DAY = 24 * US_PER_H
MIB = 1 << 20
GIB = 1 << 30

_QUANTITY = re.compile(r"^([+-]?)(\d+\.?\d*|\.\d+)(?:([eE][+-]?\d{1,3})|(m|u|n|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei))?$")
_DECIMAL = {"n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DURATION_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_DURATION = re.compile(r"^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$")
_DURATION_US = {"ms": US_PER_MS, "s": US_PER_S, "m": US_PER_MIN, "h": US_PER_H, "d": US_PER_DAY}
_MAX_TEXT = 40


@lru_cache(maxsize=4096)
def parse_quantity(text: str) -> Fraction:
    """The exact value of a Kubernetes quantity. Raises ValueError with the accepted forms."""
    match = _QUANTITY.match(text.strip()) if len(text) <= _MAX_TEXT else None
    if match is None:
        raise ValueError(
            tr("'{text}' is not a quantity; write for example 250m, 1.5, 512Mi or 2G", text=text[:_MAX_TEXT])
        )
    sign, digits, exponent, suffix = match.groups()
    value = Fraction(digits)
    if exponent:
        value *= Fraction(10) ** int(exponent[1:])
    elif suffix in _BINARY:
        value *= 1 << _BINARY[suffix]
    elif suffix:
        value *= Fraction(10) ** _DECIMAL[suffix]
    return -value if sign == "-" else value


def ceil_fraction(value: Fraction) -> int:
    """The smallest integer not below `value`."""
    return -(-value.numerator // value.denominator)


def parse_cpu_milli(text: str) -> int:
    """Milli-CPU of a quantity, rounded up ("0.25" and "250m" are 250)."""
    return ceil_fraction(parse_quantity(text) * 1000)


def parse_count(text: str) -> int:
    """Whole units of a quantity, rounded up (bytes for memory)."""
    return ceil_fraction(parse_quantity(text))


def format_cpu(milli: int) -> str:
    """The shortest Kubernetes spelling of milli-CPU: 2000 is "2", 250 is "250m"."""
    return str(milli // 1000) if milli % 1000 == 0 else f"{milli}m"


def format_milli(milli: int) -> str:
    """An exact spelling of milli-units: 1500 is "1500m", 30000 is "30", 100 Mi of units is "100Mi"."""
    if milli % 1000:
        return f"{milli}m"
    return format_bytes(milli // 1000) if milli % (MIB * 1000) == 0 else str(milli // 1000)


def format_bytes(count: int) -> str:
    """The shortest exact binary spelling of bytes: 536870912 is "512Mi"."""
    for suffix in ("Ei", "Pi", "Ti", "Gi", "Mi", "Ki"):
        unit = 1 << _BINARY[suffix]
        if count and count % unit == 0:
            return f"{count // unit}{suffix}"
    return str(count)


def parse_duration_us(text: str) -> int:
    """Microseconds of a duration such as "90s", "10m", "1h30m" or "250ms"; "0" is zero."""
    text = text.strip()
    if text == "0":
        return 0
    if len(text) > _MAX_TEXT or not _DURATION.match(text):
        raise ValueError(
            tr("'{text}' is not a duration; write for example 90s, 10m, 1h30m or 250ms", text=text[:_MAX_TEXT])
        )
    parts = (Fraction(number) * _DURATION_US[unit] for number, unit in _DURATION_PART.findall(text))
    return ceil_fraction(sum(parts, Fraction(0)))


def format_duration(us: int) -> str:
    """The shortest exact spelling of a duration: 5400000000 is "1h30m", 9200000 is "9.2s"."""
    if us == 0:
        return "0s"
    if us % US_PER_MS:
        return f"{Fraction(us, US_PER_MS).numerator / Fraction(us, US_PER_MS).denominator}ms"
    out, left = [], us
    for unit in ("d", "h", "m"):
        count, left = divmod(left, _DURATION_US[unit])
        if count:
            out.append(f"{count}{unit}")
    if left:
        out.append(f"{left / US_PER_S:g}s" if out or left >= US_PER_S else f"{left // US_PER_MS}ms")
    return "".join(out)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def parse_moment_us(text: str) -> int:
    """Microseconds since 1970 of a date and time such as "2026-01-05T00:00:00Z"; without a zone it is UTC."""
    try:
        found = datetime.fromisoformat(text.strip().replace("Z", "+00:00").replace("z", "+00:00"))
    except ValueError:
        raise ValueError(
            tr("'{text}' is not a date and time; write for example 2026-01-05T00:00:00Z", text=text[:_MAX_TEXT])
        ) from None
    moment = found if found.tzinfo is not None else found.replace(tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(microseconds=1)


def format_moment(us: int) -> str:
    """A moment in UTC as the API writes it: "2026-01-05T00:00:00Z"."""
    moment = _EPOCH + timedelta(microseconds=us)
    return moment.replace(tzinfo=None).isoformat() + "Z"
