"""The pictures of docs/screenshots: python -m tests.ui.pictures.overview LANGUAGE SCALE DOCUMENTS."""

import sys
from pathlib import Path

from planner.record.decisions import Actor, Verdict
from tests.ui.pictures.many_services import plan_of
from tests.ui.pictures.stage import Stage
from tests.ui.pictures.views import SALE, asked, two_runs
from ui.map.map_view import Picked

USUAL, SMALL, LARGE = (1600, 1000), (1280, 800), (1920, 1080)
_AT_ITS_WORST_S, _IN_THE_MIDDLE_S = 15.5 * 60, 5 * 60
_NODE = 9


def run(stage: Stage, name: str) -> None:
    """The last scale-up: the load has grown, and the reserve is being filled again."""
    workspace = stage.window.workspace
    workspace.tabs.setCurrentIndex(0)
    stage.choose(stage.decisions(Actor.SCALE_UP, Verdict.TRIGGERED)[-1])
    stage.keep(name)


def cluster(stage: Stage, name: str) -> None:
    """The map while nodes boot, with the story of one."""
    workspace, shown = stage.window.workspace, stage.window.session.current
    assert shown is not None
    workspace.tabs.setCurrentWidget(workspace.cluster)
    stage.wait_for(lambda: shown.history is not None)
    workspace.cursor_time.move(_AT_ITS_WORST_S)
    workspace.cluster._choose(Picked(node=_NODE))
    stage.keep(name)
    workspace.tabs.setCurrentIndex(0)


def plan(stage: Stage, name: str) -> None:
    """The workspace Plan with the workload that the sale is about."""
    stage.show_plan_of(1)
    stage.keep(name)
    stage.window.pages.show_plan()


def tables(stage: Stage) -> None:
    """What `kubectl get` would show at the cursor, and the figures beside those of the baseline."""
    workspace = stage.window.workspace
    for view, name in ((workspace.autoscalers, "autoscalers"), (workspace.summary, "summary")):
        workspace.tabs.setCurrentWidget(view)
        stage.keep(name)
    workspace.tabs.setCurrentIndex(0)


def experiment(stage: Stage, name: str) -> None:
    """The answer whether the reserve is worth its money."""
    window = stage.window
    stage.open(SALE)
    document, work = window.document, window.experiments.workspace
    document.apply(asked(document.plan), "Questions")
    window.pages.show_experiments()
    first = document.plan.experiments[0].name
    work.navigator.choose("experiment", first)
    work.run(first)
    stage.wait_for(lambda: window.experiments.runner.report(first).answer is not None)
    stage.wait_for(lambda: not window.experiments.runner.is_running)
    stage.keep(name)


def many(stage: Stage, workloads: int) -> None:
    """A plan of so many workloads, and its run."""
    window = stage.window
    stage.forget_changes()
    window.files.new()
    window.session.compare_with_previous()
    window.document.apply(plan_of(workloads), "Begin")
    window.pages.show_plan()
    stage.run()
    window.workspace.cursor_time.move(_IN_THE_MIDDLE_S)
    stage.show_plan_of(2)
    stage.keep(f"plan-{workloads}")
    window.pages.show_plan()
    workspace, shown = window.workspace, window.session.current
    assert shown is not None
    stage.keep(f"run-{workloads}")
    workspace.tabs.setCurrentWidget(workspace.cluster)
    stage.wait_for(lambda: shown.history is not None)
    stage.keep(f"cluster-{workloads}")
    workspace.tabs.setCurrentIndex(0)


def main(language: str, scale: str, documents: Path) -> None:
    stage = Stage(language, documents / "screenshots", *(USUAL if scale == "1" else SMALL))
    two_runs(stage)
    if scale != "1":
        run(stage, "scale-200")
    elif language != "en":
        run(stage, "korean-run")
        plan(stage, "korean-plan")
        cluster(stage, "korean-cluster")
    else:
        in_english(stage)
    stage.end()


def in_english(stage: Stage) -> None:
    for theme in ("dark", "light"):
        stage.choose_theme(theme)
        run(stage, f"run-{theme}")
        cluster(stage, f"cluster-{theme}")
        plan(stage, f"plan-{theme}")
    tables(stage)
    stage.resize(*SMALL)
    run(stage, "run-1280x800")
    plan(stage, "plan-1280x800")
    stage.resize(*LARGE)
    run(stage, "run-1920x1080")
    stage.resize(*USUAL)
    for workloads in (5, 50, 500):
        many(stage, workloads)
    experiment(stage, "experiment")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
