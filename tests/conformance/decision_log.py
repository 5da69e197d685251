"""A record that keeps what a run's record counts as a repeat."""

from typing import Any

from planner.record.decision_log import MakeDecision
from planner.record.decisions import Actor, Decision
from planner.record.recorder import Recorder


class DecisionLog(Recorder):
    """Keeps every decision, repeats too."""

    def __init__(self) -> None:
        super().__init__()
        self.all: list[Decision] = []

    def decide(self, decision: Decision) -> None:
        self.all.append(decision)
        super().decide(decision)

    def keep_row(self, row: Any, make: MakeDecision, subject: tuple[Actor, str] | None = None) -> None:
        self.all.append(make(row))
        super().keep_row(row, make, subject)
