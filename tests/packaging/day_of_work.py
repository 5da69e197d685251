"""A day's work with the program, from the first plan to the import of a cluster, with a crash in between.

What has happened is seen in window titles, the log, files, and what a reader can copy.
"""

import json
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.x_display import Hand, wait_until

VERBS_ABOVE_A_TABLE = 8
"""Tabs from the navigator over the buttons to the table."""
_EXIT_S = 180
_ROOM_PX = 300
"""In the window of the cluster: a place below the rows of a short table."""


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
        self.window, self.runs = self.wait_for_window(title), 0

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

    def answer(self, title: str, text: str = "", *keys: str) -> None:
        """Type into the window with this title, then keys, and Return."""
        dialog = self.wait_for_window(title)
        if text:
            self.hand.write(dialog, text)
        self.hand.press(dialog, *keys, "Return")
        self.wait_for(lambda: not self.hand.windows_titled(title), f"the end of {title}")

    def find(self, words: str, nth: int = 1) -> None:
        """Go to the nth place, or do the nth action, that has these words in its name."""
        self.press("ctrl+k")
        self.answer("Find", words, *["Down"] * (nth if nth > 1 else 0))

    def wait_for_log(self, words: str) -> None:
        """Wait for a line in the log."""
        self.wait_for(lambda: words in self.log.read_text("utf-8"), words)

    def wait_for_run(self) -> None:
        """The next run has ended."""
        self.runs += 1
        self.wait_for_log(f"run {self.runs} finished")

    def wait_for_window(self, title: str) -> str:
        """The first window with this in its title."""
        return self.hand.wait_for_window(title, self.is_alive)

    def wait_for(self, happened: Callable[[], bool], what: str) -> None:
        """Wait while the program lives."""
        wait_until(happened, what, alive=self.is_alive)

    def wait_for_copy(self, window: str, *keys: str, having: str, lacking: str = "\0") -> str:
        """What these keys copy, once it has these words and lacks those."""
        copied = ""

        def has_copied() -> bool:
            nonlocal copied
            self.hand.press(window, *keys)
            copied = self.hand.clipboard()
            return having in copied and lacking not in copied

        self.wait_for(has_copied, f"a copy of {having!r}")
        return copied

    def type_into_table(self, section: str, column: int, text: str) -> None:
        """Change the cell of the first row in this column, counted from 0."""
        self.find(section)
        self.press(*["Tab"] * VERBS_ABOVE_A_TABLE, "Home", *["Right"] * column)
        self.hand.write(self.window, text)
        self.press("Return")

    def wait_until_saved(self, plan: Path) -> None:
        """The title is that of the plan, without the mark of a change."""
        self.wait_for(lambda: bool(self.hand.windows_titled(f"{plan.name} – Headroom")), f"the save of {plan}")
        assert plan.exists()

    def wait_for_other_window(self, title: str) -> None:
        """Another main window has taken the place of this one."""
        self.window = self.hand.wait_for_other_window(self.window, title, self.is_alive)

    def kill(self) -> None:
        """End the program as a power cut does."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def end(self) -> None:
        """Close the window; nothing is unsaved."""
        assert self.process is not None
        self.press("ctrl+q")
        assert self.process.wait(_EXIT_S) == 0


def work_a_day(day: Day, manifests: Path) -> None:
    """All of it; the program starts twice."""
    plan = day.folder / "shop.headroom"
    make_a_first_plan(day)
    look_at_the_cluster(day)
    ask_why_a_node_came(day)
    change_run_and_compare(day, plan)
    read_korean(day, plan)
    recover_after_a_crash(day, plan)
    import_by_a_second_start(day, manifests)
    assert "ERROR" not in day.log.read_text("utf-8")


def make_a_first_plan(day: Day) -> None:
    """The five questions with their defaults, for a morning; its run is paused, and goes on."""
    day.start()
    day.find("First plan")
    guide = "A first plan"
    day.hand.press(day.wait_for_window(guide), "alt+m")  # make the plan
    day.wait_for(lambda: not day.hand.windows_titled(guide), "the end of the guide")
    day.find("simulation duration")
    day.press("ctrl+a")
    day.hand.write(day.window, "9h")
    day.press("Return", "F5")
    day.wait_for_log("run 1 started: seed 1, 32400 s")
    day.press("F6")
    day.wait_for_log("run 1 paused")
    day.press("F6")
    day.wait_for_run()


def look_at_the_cluster(day: Day) -> None:
    """In a window of its own: scrub back to the night, and open the story of a pod."""
    day.find("their own", 2)
    cluster = day.wait_for_window("Cluster")
    width, height = day.hand.size_of(cluster)
    day.hand.click(cluster, 103, 26)  # Nodes
    day.hand.click(cluster, _ROOM_PX, _ROOM_PX)
    day.wait_for_copy(cluster, "ctrl+c", having="nodes-0002")
    day.hand.drag(cluster, height - 26, int(0.9 * width), int(0.52 * width))
    day.hand.click(cluster, _ROOM_PX, _ROOM_PX)
    day.wait_for_copy(cluster, "ctrl+c", having="nodes-0001", lacking="nodes-0002")
    day.hand.click(cluster, 42, 26)  # Map
    day.hand.press(cluster, "alt+c", "Tab")
    day.hand.write(cluster, "web")
    day.hand.press(cluster, "Return", "Tab", "Tab")
    assert "Pod of web" in day.wait_for_copy(cluster, "ctrl+a", "ctrl+c", having="Scheduler: bound to nodes-")


def ask_why_a_node_came(day: Day) -> None:
    """The computation behind the scale-up."""
    day.press("ctrl+f")
    day.hand.write(day.window, "scale-up")
    day.press("Down", "ctrl+Return")
    why = day.wait_for_window("Why")
    assert "least-waste" in day.wait_for_copy(why, "ctrl+a", "ctrl+c", having="Pods that triggered it")


def change_run_and_compare(day: Day, plan: Path) -> None:
    """Three tables, a name for the plan, another run; the reports compare it with the first one."""
    for section, column in (("Node pools", 3), ("Workloads", 2), ("Autoscaling (HPA)", 2)):
        day.type_into_table(section, column, "7")
    day.press("ctrl+s")
    day.answer("Save plan as", str(plan))
    day.wait_until_saved(plan)
    written = json.loads(plan.read_text("utf-8"))
    assert written["nodeGroups"][0]["maxSize"] == written["workloads"][0]["replicas"] == 7
    assert written["horizontalPodAutoscalers"][0]["minReplicas"] == 7
    day.press("F5")
    day.wait_for_run()
    for kind, begin in (("html", b"<!DOCTYPE html>"), ("pdf", b"%PDF")):
        target = day.folder / f"report.{kind}"
        day.press("ctrl+shift+e")
        day.answer("Export report", str(target))
        day.wait_for(target.exists, f"the report as {kind}")
        assert target.read_bytes().startswith(begin)
    report = (day.folder / "report.html").read_text("utf-8")
    assert "Compared with First plan of web" in report and "maxSize 4 -&gt; 7" in report


def read_korean(day: Day, plan: Path) -> None:
    """There and back, with a change that is not saved."""
    day.type_into_table("Node pools", 3, "8")
    changed = f"{plan.name}* – Headroom"
    day.wait_for_window(changed)
    day.find("language", 2)  # the second one, in its own letters
    day.wait_for_other_window(changed)
    day.press("ctrl+k")
    day.answer("찾기", "English")
    day.wait_for_other_window(changed)


def recover_after_a_crash(day: Day, plan: Path) -> None:
    """What was not saved is offered by the next start."""
    day.kill()
    assert json.loads(plan.read_text("utf-8"))["nodeGroups"][0]["maxSize"] == 7
    day.start()
    day.press("Tab", *["shift+Tab"] * 4, "space")  # from the first sample over the cross and Discard to Recover
    day.wait_for_window(f"{plan.name}* – Headroom")
    day.press("ctrl+s")
    day.wait_until_saved(plan)
    assert json.loads(plan.read_text("utf-8"))["nodeGroups"][0]["maxSize"] == 8


def import_by_a_second_start(day: Day, manifests: Path) -> None:
    """A folder of manifests becomes the plan of the window that is open."""
    day.hand_over(manifests)
    day.hand.press(day.wait_for_window("Import —"), "alt+p")  # make it the plan
    day.wait_for_window("Import of manifests* – Headroom")
    day.press("ctrl+s")
    target = day.folder / "imported.headroom"
    day.answer("Save plan as", str(target))
    day.wait_until_saved(target)
    day.end()
