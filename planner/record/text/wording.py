"""Numbers and lists as pieces of a sentence."""

from collections.abc import Mapping, Sequence

from planner.language.translation import tr, tr_count


def number_text(value: float) -> str:
    """Up to four digits after the point, none for whole numbers."""
    if value != value or value in (float("inf"), float("-inf")):
        return str(value)
    return str(int(value)) if value == int(value) else f"{value:.4f}".rstrip("0").rstrip(".")


def optional_number(value: float | None) -> str:
    """The same; empty for a number that is not known."""
    return "" if value is None else number_text(value)


def mebibytes(value: int) -> str:
    """Bytes as whole MiB, for example 128Mi."""
    return f"{round(value / (1 << 20))}Mi"


def counted(count: float, noun: str) -> str:
    """1 pod, 2 pods."""
    text = number_text(count)
    return tr_count(f"{{count}} {noun}", f"{{count}} {noun}s", 1 if text == "1" else 2, count=text)


def join(*parts: str) -> str:
    """The parts that say something, with semicolons between."""
    return "; ".join(part for part in parts if part)


def some_of(names: Sequence[str], at_most: int = 5) -> str:
    """The first names and how many more there are."""
    more = len(names) - at_most
    text = ", ".join(names[:at_most])
    return tr("{text} and {more} more", text=text, more=more) if more > 0 else text


def after_colon(text: str) -> str:
    """The text as the end of a sentence; nothing if it is empty."""
    return f": {text}" if text else ""


def after_in_brackets(text: str) -> str:
    """The text in brackets at the end of a phrase; nothing if it is empty."""
    return f" ({text})" if text else ""


def refusals(refused: Mapping[str, int]) -> str:
    """Counts with their reasons, sorted as kube-scheduler sorts them: as text."""
    return ", ".join(sorted(f"{count} {reason}" for reason, count in refused.items()))


def event_name(kind: str) -> str:
    """What a kind of plan event is called, as in the forms of the window: Zone outage."""
    return tr(spelled_out(kind).capitalize())


def spelled_out(name: str) -> str:
    """A camelCase name as words: zoneOutage is a zone outage."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip()
