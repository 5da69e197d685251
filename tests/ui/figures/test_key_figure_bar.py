"""The cards across the top of the window."""

import pytest
from PySide6.QtWidgets import QLabel

from planner.plan.edits.edit import replace_at
from tests.ui.figures.conftest import a_row, a_run, a_serving_plan, give
from ui.figures.key_figure_bar import KeyFigureBar
from ui.runs.run_data import RunState
from ui.theme.style import wear

SLO, LATENCY, PENDING, START, NODES, CPU, COST = range(7)


@pytest.fixture
def bar(session, cursor, theme, qtbot):
    bar = KeyFigureBar(session, cursor, theme)
    qtbot.addWidget(bar)
    bar.resize(900, 90)
    bar.show()
    return bar


def texts(bar, card):
    return [label.text() for label in bar.cards[card].findChildren(QLabel) if label.isVisible()]


def test_before_the_first_run_there_are_dashes(bar):
    assert [texts(bar, card)[1] for card in range(7)] == ["–"] * 7


def test_a_running_plan_shows_the_newest_and_the_extremes(bar, session, rows):
    run = a_run(rows[:3])
    session.add(run)
    assert texts(bar, SLO)[:2] == ["SLO p95 ≤ 250 ms", "50 %"]
    assert texts(bar, LATENCY) == ["p95 latency", "600 ms", "peak 600 ms · 00:02:00"]
    assert texts(bar, PENDING) == ["Pending pods", "7", "max 7 for 60 s"]
    assert texts(bar, START)[1:] == ["–", "known at the end"]
    assert texts(bar, NODES)[1:] == ["6", "4 → 6 → 6"]
    assert texts(bar, CPU)[1:] == ["100 %", "used 25 %"]
    give(run, rows[3:])
    assert texts(bar, LATENCY)[1] == "100 ms"
    assert texts(bar, NODES)[1:] == ["9", "4 → 9 → 9"]
    assert texts(bar, COST) == ["Cost", "$4.00 /h", "$0.10 in total"]


def test_pods_that_wait_since_this_very_moment_have_no_note_yet(bar, session):
    session.add(a_run([a_row(pending=42_936)]))
    assert texts(bar, PENDING)[1:3] == ["42,936", ""]


def test_the_cursor_shows_its_moment_beside_the_extremes_of_the_run(bar, session, cursor, rows, qtbot):
    session.add(a_run(rows))
    cursor.move(61.0)
    assert texts(bar, LATENCY) == ["p95 at cursor", "200 ms", "peak 600 ms · 00:02:00"]
    assert texts(bar, NODES)[1:] == ["4", "4 → 9 → 4"]
    cursor.move(None)
    qtbot.waitUntil(lambda: texts(bar, LATENCY)[1] == "100 ms")


@pytest.mark.parametrize(
    ("width", "shown"), [(900, "peak 600 ms · 00:02:00"), (150, "peak 600 ms · 00:02:00"), (100, "peak 600 ms")]
)
def test_a_narrow_card_leaves_out_the_last_parts_of_its_note(bar, session, rows, width, shown):
    session.add(a_run(rows[:3]))
    note = bar.cards[LATENCY].findChildren(QLabel)[2]
    of_letters = note.fontMetrics().horizontalAdvance("peak 600 ms · 00:02:00") / 150
    note.resize(round(width * of_letters), note.height())
    assert note.shown_text() == shown
    assert note.text() in bar.cards[LATENCY].toolTip()


def test_a_latency_at_its_bound_leaves_room_for_the_bound(bar, session, cursor, rows, qtbot):
    plan = replace_at(a_serving_plan(), ("workloads", 0, "demand", "timeout"), 10_000_000)
    session.add(a_run([*rows, a_row(p95=1e9), a_row(p95=100)], plan=plan, state=RunState.FINISHED))
    assert texts(bar, LATENCY)[:2] == ["p95 latency, peak", "≥ 10 s"]
    assert texts(bar, LATENCY)[2].startswith("time-out · ")
    cursor.move(60.0 * len(rows) + 1)
    assert texts(bar, LATENCY) == ["p95 at cursor", "≥ 10 s", "time-out"]
    cursor.move(60.0 * len(rows) + 61)
    after = ["p95 at cursor", "100 ms", f"peak ≥ 10 s · 00:{len(rows):02d}:00"]
    qtbot.waitUntil(lambda: texts(bar, LATENCY) == after)


def test_differences_to_the_baseline_are_taken_at_the_same_simulated_time(bar, session, rows):
    before = a_run([a_row(p95=300, pending=1, nodes=4, rate=1.0)] * 60, state=RunState.FINISHED)
    session.add(before)
    session.add(a_run(rows[:2], number=2))
    assert texts(bar, SLO)[3] == "▲ 100.0 pt better"
    assert texts(bar, LATENCY)[3] == "▼ 100 ms better"
    assert texts(bar, PENDING)[3] == "▲ 2 worse"
    assert texts(bar, NODES)[3] == "= baseline"
    assert texts(bar, COST)[3] == "▲ $0.0167 worse"
    assert len(texts(bar, START)) == 4 and texts(bar, START)[3] == ""


def test_the_change_line_is_hidden_without_a_baseline(bar, session, rows):
    session.add(a_run(rows))
    assert all(len(texts(bar, card)) == 3 for card in range(7))


def test_cards_have_accessible_texts_and_full_tool_tips(bar, session, rows):
    session.add(a_run(rows))
    card = bar.cards[LATENCY]
    assert card.accessibleName() == "p95 latency"
    assert "100 ms" in card.accessibleDescription() and "peak 600 ms" in card.accessibleDescription()
    assert "peak 600 ms · 00:02:00" in card.toolTip() and "slowest workload" in card.toolTip()


def test_colours_follow_the_theme(bar, session, theme, rows):
    session.add(a_run(rows, state=RunState.FINISHED))
    light = bar.cards[0].grab().toImage().pixelColor(40, 5)
    theme.choose("dark")
    assert bar.cards[0].grab().toImage().pixelColor(40, 5).lightness() < light.lightness()


def test_values_can_be_read_after_a_change_of_the_colours_of_the_whole_program(bar, session, theme, rows, qapp):
    session.add(a_run(rows, state=RunState.FINISHED))
    wear(qapp, theme.current)
    theme.choose("dark")
    wear(qapp, theme.current)  # the program's style sheet comes after the cards have taken the new colours
    qapp.processEvents()
    image = bar.cards[0]._value.grab().toImage()
    lightest = max(image.pixelColor(x, y).lightness() for x in range(image.width()) for y in range(image.height()))
    assert lightest > 150


@pytest.mark.parametrize("width", [760, 1200])
def test_the_bar_never_exceeds_the_available_width(bar, session, rows, width):
    session.add(a_run(rows))
    assert bar.minimumSizeHint().width() <= width


def test_cards_are_as_high_as_the_highest(bar, qapp):
    bar.cards[LATENCY].setMinimumHeight(120)
    bar.resize(900, bar.sizeHint().height())
    qapp.processEvents()
    assert len({(card.y(), card.height()) for card in bar.cards}) == 1
