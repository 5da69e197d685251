"""The pictures of the guide: python -m tests.ui.pictures.guide LANGUAGE SCALE DOCUMENTS [NAME...]."""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QImage

from planner.measured.saving import ENDING
from planner.plan.edits.edit import replace_at
from planner.record.decisions import Actor, Verdict
from planner.units import US_PER_S
from tests.ui.pictures import measured_shop
from tests.ui.pictures.stage import SCENARIOS, Stage
from ui.map.map_view import Picked

WHY_UNTIL_US = 45 * 60 * US_PER_S
"""The first choice between two pools has been made."""
AT_ITS_WORST_S = 17 * 60.0
"""Of the flash sale: pods wait, nodes boot."""


def start_page(stage: Stage) -> None:
    stage.window.pages.show_start()
    stage.keep("start-page")


def first_run(stage: Stage) -> None:
    stage.open("flash-sale")
    stage.run()
    stage.keep("first-run")


def plan_workspace(stage: Stage) -> None:
    stage.open("flash-sale")
    stage.show_plan_of(1)
    stage.keep("plan")


def plots(stage: Stage) -> None:
    stage.open("flash-sale")
    stage.run()
    workspace = stage.window.workspace
    workspace.cursor_time.move(AT_ITS_WORST_S)
    workspace.rows.setSizes([10_000, 0])
    stage.keep("plots", workspace.tabs)


def why(stage: Stage) -> None:
    stage.open("two-pools")
    document = stage.window.document
    document.apply(replace_at(document.plan, ("simulation", "duration"), WHY_UNTIL_US), "Shorter")
    stage.run()
    stage.choose(stage.decisions(Actor.SCALE_UP, Verdict.TRIGGERED)[0])
    stage.window.workspace.decisions.open_why()
    window = stage.window.workspace.decisions.why_window
    assert window is not None
    window.resize(760, 380)
    stage.keep("why", window)
    window.close()


def cluster_map(stage: Stage) -> None:
    _run_with_map(stage, "zone-outage-spread")
    workspace = stage.window.workspace
    workspace.cursor_time.move(stage.decisions(Actor.SCALE_UP, Verdict.TRIGGERED)[0].time_us / US_PER_S + 60)
    workspace.cluster._choose(Picked(node=0))
    stage.keep("cluster-map", workspace.tabs)


def _run_with_map(stage: Stage, scenario: str) -> None:
    """Run it, and show the map, as large as it can be."""
    stage.open(scenario)
    stage.run()
    workspace = stage.window.workspace
    workspace.tabs.setCurrentWidget(workspace.cluster)
    run = stage.window.session.current
    assert run is not None
    stage.wait_for(lambda: run.history is not None)
    workspace.rows.setSizes([10_000, 0])


def measured(stage: Stage) -> None:
    window = stage.window
    stage.forget_changes()
    window.files.new()
    window.document.apply(measured_shop.plan(), "Begin")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"shop{ENDING}"
        measured_shop.save(path)
        window.measured.series.trigger()
        dialog = window.measured.series_dialog
        assert dialog is not None
        dialog.show_files([path])
        dialog.read.click()
        stage.wait_for(lambda: window.measured.measuring.calibration is not None)
    workspace = window.measured.workspace
    workspace.calibrate.view.selectRow(0)
    stage.keep("calibrate", workspace)
    workspace.calibrate.take_all.click()
    workspace.tabs.setCurrentIndex(1)
    workspace.back_test.seeds.setValue(2)
    workspace.back_test.begin.click()
    stage.wait_for(lambda: window.measured.measuring.back_test is not None)
    stage.keep("back-test", workspace)


def changes(stage: Stage) -> None:
    stage.open("flash-sale")
    document = stage.window.document
    document.apply(replace_at(document.plan, ("node_groups", 0, "max_size"), 24), "Maximum")
    document.apply(replace_at(document.plan, ("horizontal_pod_autoscalers", 0, "min_replicas"), 16), "Minimum")
    stage.window.measured.changes.trigger()
    dialog = stage.window.measured.changes_dialog
    assert dialog is not None
    dialog.resize(760, 420)
    stage.wait_for(lambda: dialog.text.toPlainText())
    stage.keep("changes", dialog)
    dialog.close()


def karpenter(stage: Stage) -> None:
    _run_with_map(stage, "flash-sale-karpenter")
    stage.window.workspace.cursor_time.move(25 * 60.0)
    stage.keep("karpenter", stage.window.workspace.tabs)


def report(stage: Stage) -> None:
    """The first page as a browser shows it."""
    with tempfile.TemporaryDirectory() as folder:
        page, picture = Path(folder) / "report.html", Path(folder) / "report.png"
        plan = SCENARIOS / "flash-sale-overprovisioned" / "plan.headroom"
        command = [sys.executable, "-m", "ui.launch", "--lang", stage.language, "report", str(plan), "-o", str(page)]
        subprocess.run(command, check=True)
        browser = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        browser += ["--window-size=1000,1000", f"--user-data-dir={folder}/browser", f"--screenshot={picture}"]
        subprocess.run([*browser, page.as_uri()], check=True, stderr=subprocess.DEVNULL)
        stage.keep_image("report", QImage(str(picture)))


PICTURES: tuple[Callable[[Stage], None], ...] = (
    start_page, first_run, plan_workspace, plots, why, cluster_map, measured, changes, karpenter, report,
)  # fmt: skip


def main(language: str, documents: Path, names: list[str]) -> None:
    stage = Stage(language, documents / "guide" / language / "pictures")
    for draw in PICTURES:
        if not names or draw.__name__ in names:
            draw(stage)
    stage.end()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[3]), sys.argv[4:])
