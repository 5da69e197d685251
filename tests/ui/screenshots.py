"""Draws the pictures of the README: python -m tests.ui.screenshots [FOLDER], on a display or under xvfb-run."""

import sys
from pathlib import Path

from PySide6.QtTest import QTest

from planner.record.decisions import Actor, Verdict
from planner.units import US_PER_S
from ui.app import application, make_window
from ui.shell.main_window import MainWindow

ROOT = Path(__file__).parents[2]
SCENARIOS, FOLDER = ROOT / "scenarios", ROOT / "docs" / "screenshots"
SAMPLES = ("flash-sale", "flash-sale-overprovisioned")
WIDTH_PX, HEIGHT_PX = 1600, 1000


def run(window: MainWindow) -> None:
    window.controls.run_action.trigger()
    while window.controller.state.is_live:
        QTest.qWait(50)


def compare_two_runs(window: MainWindow) -> None:
    """The flash sale without and with a reserve of pause pods."""
    for name in SAMPLES:
        window.files.open_sample(SCENARIOS / name / "plan.headroom")
        run(window)


def choose_scale_up(window: MainWindow) -> None:
    """The last one: the load has grown, and the reserve is being filled again."""
    run = window.session.current
    assert run is not None
    grown = [one for one in run.decisions if one.actor is Actor.SCALE_UP and one.verdict is Verdict.TRIGGERED]
    window.workspace.decisions.select(grown[-1])
    window.workspace.cursor_time.move(grown[-1].time_us / US_PER_S)


def main(folder: Path) -> None:
    app = application(["headroom"])
    window = make_window(app)
    window.resize(WIDTH_PX, HEIGHT_PX)
    window.show()
    compare_two_runs(window)
    window.workspace.reset_layout(WIDTH_PX, HEIGHT_PX)
    choose_scale_up(window)
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("light", "dark"):
        window.theme.choose(name)
        QTest.qWait(500)
        window.grab().save(str(folder / f"{name}.png"))
    window.end()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
