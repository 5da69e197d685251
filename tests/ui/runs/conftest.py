"""A session with its controller, and the sample plan."""

from pathlib import Path

import pytest

from planner.api import load_plan, run_plan
from ui.editor.values.changes import change_words
from ui.runs.thread.controller import RunController

FLASH_SALE = Path(__file__).parents[3] / "scenarios" / "flash-sale" / "plan.headroom"


@pytest.fixture
def troubles():
    """What the runs of `controller` failed with."""
    return []


@pytest.fixture
def controller(session, troubles):
    controller = RunController(session, words=change_words)
    controller.failed.connect(troubles.append)
    yield controller
    controller.shutdown()


@pytest.fixture(scope="session")
def flash_sale():
    return load_plan(FLASH_SALE)


@pytest.fixture(scope="session")
def headless(flash_sale):
    """The same run without a window."""
    return run_plan(flash_sale)


@pytest.fixture
def ended(controller, qtbot):
    """Waits for the end of the run."""

    def wait():
        qtbot.waitUntil(lambda: not controller.state.is_live, timeout=20_000)
        return controller.run

    return wait
