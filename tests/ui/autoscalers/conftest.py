"""The panel of the autoscalers."""

import pytest

from ui.autoscalers.status_panel import StatusPanel
from ui.runs.session import RunSession


@pytest.fixture
def panel(theme, cursor, qtbot):
    panel = StatusPanel(RunSession(), cursor, theme)
    qtbot.addWidget(panel)
    panel.show()
    return panel
