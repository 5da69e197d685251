"""A failing explanation does not hide the others: the recorded facts are shown, and the log says why."""

import logging

import numpy as np
import pytest

from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.node_groups import ScaleUp
from planner.record.details.replicas import Evaluation
from planner.record.text.explain import why
from planner.record.text.reasoning import reasoning
from tests.ui.recorded_runs import a_started_run
from ui.decisions.decision_panel import DecisionPanel
from ui.runs.messages import RunChunk
from ui.runs.session import RunSession
from ui.runs.time_cursor import TimeCursor
from ui.wording import explained

TRIGGERED = Decision(
    2_000_000, Actor.SCALE_UP, Verdict.TRIGGERED, "pool", target="pool",
    details=ScaleUp(added=2, new_target=5, pods=4, expanders=("least-waste",)),
)  # fmt: skip


@pytest.fixture
def broken(monkeypatch):
    """Nothing can be explained."""

    def fail(decision, *_currency):
        raise ValueError("malformed")

    monkeypatch.setattr(explained, "_logged", {})
    for name in ("why", "headline", "reasoning"):
        monkeypatch.setattr(explained, name, fail)


def test_the_recorded_facts_are_shown_instead(broken):
    assert explained.why_of(TRIGGERED) == (
        "added 2, new_target 5, pods 4, expanders ('least-waste',), figures (), options (), triggers (), tied (), "
        "tie_break None, rejected ()"
    )
    assert explained.headline_of(TRIGGERED) == f"{Verdict.TRIGGERED} pool"
    (grid,) = explained.reasoning_of(TRIGGERED).grids
    assert ("new_target", "5") in grid.rows


def test_each_kind_of_failure_is_logged_once(broken, caplog):
    with caplog.at_level(logging.ERROR, logger="headroom"):
        for _time in range(3):
            explained.why_of(TRIGGERED)
    assert len(caplog.records) == 1 and "malformed" in caplog.text and "new_target=5" in caplog.text


def test_explanations_that_work_are_shown(qapp):
    kept = Decision(0, Actor.HPA, Verdict.KEPT, "web", details=Evaluation("web", 3, 3))
    assert explained.why_of(kept) == why(kept)
    assert explained.reasoning_of(kept) == reasoning(kept)


def test_the_panel_shows_and_searches_the_facts(broken, theme, qtbot, document):
    session = RunSession()
    run = a_started_run(document.plan)
    session.add(run)
    panel = DecisionPanel(session, TimeCursor(), theme)
    qtbot.addWidget(panel)
    panel.show()
    run.append(RunChunk(3_000_000, 1, np.empty(0, dtype=np.int64), np.empty((0, 0)), (TRIGGERED,), ()))
    panel.select(TRIGGERED)
    assert not panel.grab().isNull()
    assert "new_target" in panel.why.toPlainText()
    panel.filters.search.setText("new_target 5")
    qtbot.waitUntil(lambda: panel.table.rowCount() == 1 and not panel.table.is_searching)
