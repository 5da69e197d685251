"""A panel in a shown window."""

import pytest

from ui.plots.plot_panel import PlotPanel
from ui.runs.session import RunSession
from ui.runs.time_cursor import TimeCursor


@pytest.fixture
def session(qapp):
    return RunSession()


@pytest.fixture
def cursor(qapp):
    return TimeCursor()


@pytest.fixture
def panel(qtbot, session, cursor, theme):
    made = PlotPanel(session, cursor, theme)
    qtbot.addWidget(made)
    made.resize(900, 640)
    made.show()
    qtbot.waitExposed(made)
    return made
