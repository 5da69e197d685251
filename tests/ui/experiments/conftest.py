"""A workspace of experiments with a plan whose runs take some hundredths of a second."""

import pytest

from planner.experiments.execution.in_process import InProcess
from planner.plan.model.experiments.experiment import Compare, Replicate
from planner.plan.model.experiments.variants import Variant
from planner.plan.model.plan import SimulationSettings
from tests.planner.experiments.small_plans import LARGER, SAME, a_small_plan
from ui.document.plan_document import PlanDocument
from ui.experiments.report import ExperimentState
from ui.experiments.results_place import ResultsPlace
from ui.experiments.runner import ExperimentRunner
from ui.experiments.workspace import ExperimentsWorkspace

PATIENCE_MS = 60_000
SHORT = SimulationSettings(duration="3m", seed=11)
SIZE = Compare(type="compare", name="size", seeds=3)
SURE = Replicate(type="replicate", name="sure", seeds=3)


def a_plan_with_questions(*variants, experiments=(SIZE, SURE)):
    return a_small_plan(simulation=SHORT, variants=variants or (LARGER,), experiments=experiments)


@pytest.fixture
def document(qapp):
    return PlanDocument(a_plan_with_questions())


@pytest.fixture
def place():
    place = ResultsPlace()
    yield place
    place.end()


@pytest.fixture
def runner(qapp, place):
    runner = ExperimentRunner(place, InProcess)
    yield runner
    runner.shutdown()


@pytest.fixture
def workspace(document, runner, theme, qtbot):
    workspace = ExperimentsWorkspace(document, runner, theme)
    qtbot.addWidget(workspace)
    workspace.resize(1030, 700)
    workspace.show()
    return workspace


@pytest.fixture
def refusals(workspace):
    found = []
    workspace.refused.connect(lambda what, why: found.append(f"{what} {why}"))
    return found


def finish(runner, name, qtbot):
    qtbot.waitUntil(lambda: not runner.report(name).state.is_live, timeout=PATIENCE_MS)
    assert runner.report(name).state is not ExperimentState.FAILED, runner.report(name).failure
    return runner.report(name)


def a_variant(name, *changes):
    return Variant(name=name, changes=changes)


__all__ = ["SAME", "a_plan_with_questions", "a_variant", "finish"]
