"""A panel in a shown window."""

import pytest

from ui.plots.panel.plot_panel import PlotPanel


@pytest.fixture
def panel(qtbot, session, cursor, theme):
    made = PlotPanel(session, cursor, theme)
    qtbot.addWidget(made)
    made.resize(900, 640)
    made.show()
    qtbot.waitExposed(made)
    return made
