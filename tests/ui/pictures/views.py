"""Every view of the window, to be looked at after a change of how things look.

python -m tests.ui.pictures.views LANGUAGE THEME WIDTHxHEIGHT FOLDER [NAME of a function...], under
QT_QPA_PLATFORM=offscreen, and QT_SCALE_FACTOR=2 for 200 %.
"""

import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QWidget

from planner.plan.edits.edit import replace_at
from planner.plan.model.plan import Plan
from planner.record.decisions import Actor, Verdict
from tests.ui.pictures import measured_shop
from tests.ui.pictures.many_services import plan_of
from tests.ui.pictures.stage import Stage
from ui.map.map_view import Picked
from ui.map.tools import Page
from ui.runs.run_data import RunData

SALE = "flash-sale-overprovisioned"
AT_ITS_WORST_S = 17 * 60.0
MANIFEST = """apiVersion: apps/v1
kind: Deployment
metadata: {name: shop, namespace: web}
spec:
  replicas: 4
  template:
    spec:
      hostNetwork: true
      containers:
      - {name: shop, image: shop, resources: {requests: {cpu: 500m, memory: 512Mi}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: shop, namespace: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: shop}
  minReplicas: 2
  maxReplicas: 20
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]
---
apiVersion: v1
kind: Service
metadata: {name: shop, namespace: web}
spec: {selector: {app: shop}}
"""


def start(stage: Stage) -> None:
    stage.window.pages.show_start()
    stage.keep("start")


def empty_plan(stage: Stage) -> None:
    window = stage.window
    stage.forget_changes()
    window.files.new()
    window.pages.show_plan()
    tabs = window.workspace.tabs
    for number, name in enumerate(("live", "cluster", "autoscalers", "summary", "headroom")):
        tabs.setCurrentIndex(number)
        stage.keep(f"empty-{name}")
    tabs.setCurrentIndex(0)
    for name, page in zip(("plan", "run", "experiments", "measured"), window.pages.spaces(), strict=True):
        if name != "run":
            window.pages.show_page(page.page)
            stage.keep(f"empty-{name}")


def sections(stage: Stage) -> None:
    stage.open(SALE)
    window = stage.window
    window.pages.show_page(window.workspace.plan_space)
    editor = window.workspace.editor
    for section in editor.tree.sections:
        editor._show(section, 0 if section.rows(window.document.plan) else None)
        stage.keep(f"plan-{section.fields[0]}-{'-'.join(section.facet) if section.facet else 'all'}")


def two_runs(stage: Stage) -> None:
    """The flash sale without and with a reserve of pause pods; the first run is the baseline of the second."""
    for name in ("flash-sale", SALE):
        stage.open(name)
        stage.run()
    session = stage.window.session
    session.choose_baseline(session.runs[0])


def run_views(stage: Stage) -> None:
    two_runs(stage)
    workspace = stage.window.workspace
    stage.choose(stage.decisions(Actor.SCALE_UP, Verdict.TRIGGERED)[-1])
    workspace.cursor_time.move(AT_ITS_WORST_S)
    run = stage.window.session.current
    assert run is not None
    for number, name in enumerate(("live", "cluster", "autoscalers", "summary", "headroom")):
        workspace.tabs.setCurrentIndex(number)
        if name == "cluster":
            stage.wait_for(lambda: run.history is not None)
            workspace.cluster._choose(Picked(node=0))
        stage.keep(f"run-{name}")
    workspace.tabs.setCurrentIndex(1)
    for page in (Page.NODES, Page.PODS):
        workspace.cluster._show_page(page)
        stage.keep(f"run-cluster-{page.name.lower()}")
    workspace.cluster._show_page(Page.MAP)
    workspace.tabs.setCurrentIndex(0)


def whys(stage: Stage) -> None:
    two_runs(stage)
    seen: set[str] = set()
    run = stage.window.session.current
    assert run is not None
    view = stage.window.workspace.decisions
    for one in run.decisions:
        key = f"{one.actor.name}-{one.verdict.name}".lower()
        if key in seen:
            continue
        seen.add(key)
        stage.choose(one)
        view.open_why()
        assert view.why_window is not None
        view.why_window.resize(760, 480)
        stage.keep(f"why-{key}", view.why_window)
    assert view.why_window is not None
    view.why_window.close()


def headroom(stage: Stage) -> None:
    stage.open(SALE)
    stage.run()
    stage.window.headroom.find()
    stage.wait_for(lambda: stage.window.search.is_running)
    stage.wait_for(lambda: not stage.window.search.is_running)
    stage.window.workspace.show_view(stage.window.workspace.headroom)
    stage.keep("headroom")


def dialogs(stage: Stage) -> None:
    two_runs(stage)
    window, act = stage.window, stage.window.actions_
    act.first_plan.trigger()
    keep_dialog(stage, "first-plan", window.first_plan.dialog)
    window.history.action.trigger()
    keep_dialog(stage, "history", window.history.list)
    for name, action in (("about", act.about), ("keys", act.shortcuts)):
        before = set(window.findChildren(QDialog))
        action.trigger()
        keep_dialog(stage, name, next(iter(set(window.findChildren(QDialog)) - before)))
    act.find.trigger()
    window.palette_.finder.setText("max")
    window.palette_.finder.textEdited.emit("max")
    completer = window.palette_.finder.completer()
    if completer is not None:
        completer.complete()
        stage.keep("palette-popup", completer.popup())
    keep_dialog(stage, "palette", window.palette_)
    act.accuracy.trigger()
    stage.keep("help", window.help.pages)
    window.help.pages.close()
    document = window.document
    document.apply(replace_at(document.plan, ("node_groups", 0, "max_size"), 24), "Maximum")
    window.measured.changes.trigger()
    dialog = window.measured.changes_dialog
    assert dialog is not None
    stage.wait_for(lambda: dialog.text.toPlainText())
    keep_dialog(stage, "changes", dialog)
    window.measured.series.trigger()
    keep_dialog(stage, "series", window.measured.series_dialog)
    window.measured.from_cluster.trigger()
    assert window.measured.cluster is not None
    keep_dialog(stage, "cluster-dialog", window.measured.cluster.dialog)


def keep_dialog(stage: Stage, name: str, dialog: QWidget | None) -> None:
    assert dialog is not None
    stage.keep(f"dialog-{name}", dialog)
    dialog.close()


def import_review(stage: Stage) -> None:
    stage.open(SALE)
    QGuiApplication.clipboard().setText(MANIFEST)
    stage.window.manifests.pasted.trigger()
    made = stage.window.manifests.manifests
    stage.wait_for(lambda: made.review is not None)
    assert made.review is not None
    keep_dialog(stage, "import", made.review)


def tour(stage: Stage) -> None:
    stage.open(SALE)
    stage.run()
    window = stage.window
    window.tour.open()
    card = window.tour.card
    assert card is not None
    for step in range(5):
        card.show_step(step)
        stage.keep(f"tour-{step}")
    card.end()


def messages(stage: Stage) -> None:
    stage.open(SALE)
    stage.run()
    window = stage.window
    document = window.document
    document.apply(replace_at(document.plan, ("horizontal_pod_autoscalers", 0, "scale_target"), "web"), "Wrong")
    window.workspace.editor.show_path(("horizontal_pod_autoscalers", 0, "scale_target"))
    window.controls.run_action.trigger()
    stage.keep("problem")
    stage.forget_changes()
    document.apply(replace_at(document.plan, ("node_groups", 0, "max_size"), 8), "Maximum")
    stage.keep("stale")
    stage.forget_changes()


def experiments(stage: Stage) -> None:
    stage.open(SALE)
    window = stage.window
    document = window.document
    document.apply(asked(document.plan), "Questions")
    window.pages.show_experiments()
    stage.keep("experiments-before")
    for one in document.plan.experiments:
        window.experiments.workspace.navigator.choose("experiment", one.name)
        window.experiments.workspace.run(one.name)
        stage.wait_for(partial(_is_answered, stage, one.name))
        tabs = window.experiments.workspace.page.answer.tabs
        for number in range(tabs.count()):
            if tabs.isTabVisible(number):
                tabs.setCurrentIndex(number)
                stage.keep(f"experiment-{one.type}-{number}")
    window.experiments.workspace.navigator.choose("variant", document.plan.variants[0].name)
    stage.keep("experiment-variant")


def _is_answered(stage: Stage, name: str) -> bool:
    runner = stage.window.experiments.runner
    return runner.report(name).answer is not None and not runner.is_running


def asked(plan: Plan) -> Plan:
    """The plan with a variant and an experiment of each kind."""
    names = ("without reserve", "larger maximum")
    changes = (("overprovisioning = []",), ("nodeGroups[general].maxSize = 30",))
    variants = [{"name": name, "changes": what} for name, what in zip(names, changes, strict=True)]
    reserve = f"overprovisioning[{plan.overprovisioning[0].name}].replicas"
    kinds: list[dict[str, object]] = [
        {"type": "compare", "name": "Which is cheaper?", "seeds": 3},
        {"type": "replicate", "name": "How sure is this?", "seeds": 4},
        {"type": "search", "name": "How much reserve?", "seeds": 3, "over": [f"{reserve} = 0..36:18"]},
        {"type": "stress", "name": "What breaks first?", "seeds": 1, "variants": ["without reserve"]},
        {"type": "grow", "name": "When is it too small?", "seeds": 1, "months": 4, "rate": 20},
        {"type": "rightsize", "name": "What should pods request?", "seeds": 2, "workload": "shop"},
        {"type": "vary", "name": "What matters most?", "seeds": 1,
         "over": ["load = 0.8, 1, 1.2", f"{reserve} = 0, 18, 36"],
         "sensitivity": True, "trajectories": 2, "baseSamples": 4},
    ]  # fmt: skip
    data = plan.model_dump(by_alias=True, mode="json") | {"variants": variants, "experiments": kinds}
    return Plan.model_validate(data)


def measured(stage: Stage) -> None:
    window = stage.window
    stage.forget_changes()
    window.files.new()
    window.document.apply(measured_shop.plan(), "Begin")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shop.measured.json.gz"
        measured_shop.save(path)
        window.measured.series.trigger()
        dialog = window.measured.series_dialog
        assert dialog is not None
        dialog.show_files([path])
        dialog.read.click()
        stage.wait_for(lambda: window.measured.measuring.calibration is not None)
    workspace = window.measured.workspace
    for number in range(workspace.tabs.count()):
        workspace.tabs.setCurrentIndex(number)
        stage.keep(f"measured-{number}")
    workspace.tabs.setCurrentIndex(0)
    workspace.calibrate.take_all.click()
    workspace.tabs.setCurrentIndex(1)
    workspace.back_test.seeds.setValue(2)
    workspace.back_test.begin.click()
    stage.wait_for(lambda: window.measured.measuring.back_test is not None)
    stage.keep("measured-back-test")


def sizes(stage: Stage) -> None:
    for count in (5, 50, 500):
        window = stage.window
        stage.forget_changes()
        window.files.new()
        window.document.apply(plan_of(count), "Begin")
        window.pages.show_page(window.workspace.plan_space)
        window.workspace.editor.show_path(("workloads", 3, "replicas"))
        stage.keep(f"size-{count}-plan")
        window.pages.show_plan()
        stage.run()
        run = window.session.current
        assert run is not None
        window.workspace.cursor_time.move(300.0)
        for number, name in enumerate(("live", "cluster", "autoscalers", "summary")):
            window.workspace.tabs.setCurrentIndex(number)
            if name == "cluster":
                stage.wait_for(partial(_has_history, run))
            stage.keep(f"size-{count}-{name}")
        window.workspace.tabs.setCurrentIndex(0)


def _has_history(run: RunData) -> bool:
    return run.history is not None


VIEWS: tuple[Callable[[Stage], None], ...] = (
    start, empty_plan, sections, run_views, whys, headroom, dialogs, import_review, tour, messages, experiments,
    measured, sizes,
)  # fmt: skip


def main(language: str, theme: str, size: str, folder: Path, names: list[str]) -> None:
    width, height = map(int, size.split("x"))
    stage = Stage(language, folder, width, height)
    stage.choose_theme(theme)
    for view in VIEWS:
        if not names or view.__name__ in names:
            view(stage)
    stage.end()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], Path(sys.argv[4]), sys.argv[5:])
