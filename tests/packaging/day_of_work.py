"""A day's work with the program, by keyboard only: tables, runs, a torn-off pane, why, reports, a second start."""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.x_display import Hand, wait_until

VERBS_ABOVE_A_TABLE = 8
"""Tabs from the navigator over the buttons to the table."""
_EXIT_S = 30
_REVIEW = "Import —"
"""Title of the review of an import; the plan that it makes is called "Import of manifests" in the main window."""


@dataclass
class Day:
    """One user at one display; `program` is what starts Headroom."""

    program: Sequence[str]
    user: dict[str, str]
    hand: Hand
    log: Path
    folder: Path
    process: subprocess.Popen[str] | None = None
    window: str = ""
    runs: int = 0

    def start(self, *words: str, title: str = "– Headroom") -> None:
        """Start the program and wait for its window."""
        environment = self.user | {"DISPLAY": self.hand.display}
        self.process = subprocess.Popen([*self.program, *words], cwd=self.folder, env=environment, text=True)
        self.window = self.hand.wait_for_window(title, self.is_alive)

    def is_alive(self) -> bool:
        """Whether the program still runs."""
        return self.process is not None and self.process.poll() is None

    def hand_over(self, path: Path) -> None:
        """A second start, which gives its file to the first and ends."""
        environment = self.user | {"DISPLAY": self.hand.display}
        done = subprocess.run([*self.program, str(path)], cwd=self.folder, env=environment, timeout=_EXIT_S)
        assert done.returncode == 0

    def press(self, *keys: str) -> None:
        """Keys for the main window."""
        self.hand.press(self.window, *keys)

    def answer(self, title: str, text: str = "") -> None:
        """Type into the window with this title, and Return."""
        dialog = self.hand.wait_for_window(title, self.is_alive)
        if text:
            self.hand.write(dialog, text)
        self.hand.press(dialog, "Return")
        wait_until(lambda: not self.hand.windows_titled(title), f"the end of {title}", alive=self.is_alive)

    def find(self, words: str) -> None:
        """Go to a place, or do an action, by its name."""
        self.press("ctrl+k")
        self.answer("Find", words)

    def run(self) -> None:
        """Run the plan to its end."""
        self.press("F5")
        self.wait_for_run()

    def wait_for_run(self) -> None:
        """The next run has ended."""
        self.runs += 1
        self.wait_for(lambda: f"run {self.runs} finished" in self.log.read_text("utf-8"), f"run {self.runs}")

    def wait_for(self, happened, what: str) -> None:
        """Wait while the program lives."""
        wait_until(happened, what, alive=self.is_alive)

    def type_into_table(self, section: str, column: int, text: str) -> None:
        """Change the cell of the first row in this column, counted from 0."""
        self.find(section)
        self.press(*["Tab"] * VERBS_ABOVE_A_TABLE, "Home", *["Right"] * column)
        self.hand.write(self.window, text)
        self.press("Return")

    def kill(self) -> None:
        """End the program as a power cut does."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        """Close the window; nothing is unsaved."""
        assert self.process is not None
        self.press("ctrl+q")
        assert self.process.wait(_EXIT_S) == 0


def work_a_day(day: Day, plan: Path, manifests: Path) -> None:
    """All of it, with a plan that has a pool, a workload and an autoscaler."""
    day.start(str(plan), title=plan.name)
    for section, column in (("Node pools", 3), ("Workloads", 2), ("Autoscaling (HPA)", 2)):
        day.type_into_table(section, column, "37")
    day.wait_for(lambda: bool(day.hand.windows_titled(f"{plan.name}*")), "the mark of an unsaved plan")
    day.press("ctrl+s")
    day.wait_for(lambda: not day.hand.windows_titled(f"{plan.name}*"), "the save")
    day.run()
    day.find("of their own")
    day.hand.wait_for_window("Live", day.is_alive)
    day.press("ctrl+f")
    day.hand.write(day.window, "scale-up")
    day.press("Down", "ctrl+Return")
    day.hand.wait_for_window("Why", day.is_alive)
    for kind in ("html", "pdf"):
        day.press("ctrl+shift+e")
        target = day.folder / f"report.{kind}"
        day.answer("Export report", str(target))
        day.wait_for(target.exists, f"the report as {kind}")
    day.hand_over(manifests)
    day.hand.press(day.hand.wait_for_window(_REVIEW, day.is_alive), "alt+p")  # make it the plan
    day.wait_for(lambda: not day.hand.windows_titled(_REVIEW), "the end of the review")
    day.hand.wait_for_window("Import of manifests*", day.is_alive)
    day.kill()
