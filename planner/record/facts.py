"""The numbers and names of a decision as pieces of a sentence."""

from collections.abc import Mapping

from planner.record.decisions import Decision


class Facts:
    """Figures and details of a decision; remembers which ones the sentence used."""

    def __init__(self, decision: Decision) -> None:
        self.decision = decision
        self.used: list[str] = []

    def number(self, key: str) -> str | None:
        """This figure as text, if it is known."""
        if key not in self.decision.figures:
            return None
        self.used.append(key)
        return number_text(self.decision.figures[key])

    def word(self, key: str) -> str | None:
        """This detail, if it is known."""
        if key not in self.decision.details:
            return None
        self.used.append(key)
        return self.decision.details[key]

    def rest(self) -> str:
        """What the sentence did not mention."""
        figures = [f"{_spaced(k)} {number_text(v)}" for k, v in self.decision.figures.items() if k not in self.used]
        details = [f"{_spaced(k)} {v}" for k, v in self.decision.details.items() if k not in self.used]
        return ", ".join(figures + details)


def number_text(value: float) -> str:
    """Up to four digits after the point, none for whole numbers."""
    if value != value or value in (float("inf"), float("-inf")):
        return str(value)
    return str(int(value)) if value == int(value) else f"{value:.4f}".rstrip("0").rstrip(".")


def _spaced(key: str) -> str:
    return key.replace("_", " ")


def counted(count: str, noun: str) -> str:
    """1 pod, 2 pods."""
    return f"{count} {noun}" if count == "1" else f"{count} {noun}s"


def join(*parts: str | None) -> str:
    """The parts that say something, with semicolons between."""
    return "; ".join(part for part in parts if part)


def refusals(refused: Mapping[str, int]) -> str:
    """Counts with their reasons, sorted as kube-scheduler sorts them: as text."""
    return ", ".join(sorted(f"{count} {reason}" for reason, count in refused.items()))
