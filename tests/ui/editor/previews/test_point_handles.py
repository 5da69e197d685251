"""Points of a load are dragged, added and taken away in its picture."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from planner.plan.model.traffic import ConstantLoad, LoadPoint, PointsLoad, SineLoad, SpikeLoad, StepLoad
from planner.units import US_PER_MIN, US_PER_S
from planner.workloads.load_profiles import rates
from ui.editor.previews.point_handles import PointHandles, as_points
from ui.editor.previews.profile_plot import ProfilePlot

HOUR = 60 * US_PER_MIN
LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


@pytest.fixture
def plot(theme, qtbot):
    plot = ProfilePlot(theme, "req/s")
    qtbot.addWidget(plot)
    plot.resize(500, 160)
    plot.show()
    qtbot.waitExposed(plot)
    return plot


@pytest.fixture
def handles(plot, qtbot):
    handles = PointHandles(plot)
    points = [(0, 100.0), (20, 300.0), (40, 100.0)]
    profile = PointsLoad(type="points", points=tuple(LoadPoint(at=at * US_PER_MIN, rate=rate) for at, rate in points))
    handles.show_profile(profile, HOUR, 0.0)
    qtbot.wait(1)
    return handles


@pytest.fixture
def made(handles):
    """What the user has made of the points, in order."""
    made = []
    handles.changed.connect(made.append)
    return made


def drag(plot, start, by):
    surface, at = plot.viewport(), start.toPoint()
    QTest.mousePress(surface, LEFT, Qt.KeyboardModifier.NoModifier, at)
    QTest.mouseMove(surface, at + by / 2)
    QTest.mouseMove(surface, at + by)
    QTest.mouseRelease(surface, LEFT, Qt.KeyboardModifier.NoModifier, at + by)


def test_a_dragged_point_changes_once_and_alone(plot, handles, made):
    before = handles._profile.points
    drag(plot, handles.place_of(1), QPoint(40, 30))
    (changed,) = made
    assert (changed.points[0], changed.points[2]) == (before[0], before[2])
    assert changed.points[1].at > before[1].at and changed.points[1].rate < before[1].rate
    assert changed.points[1].at % US_PER_S == 0


@pytest.mark.parametrize("by", [QPoint(400, 0), QPoint(-400, 0), QPoint(0, 500)])
def test_a_point_stays_between_its_neighbours_and_above_zero(plot, handles, made, by):
    drag(plot, handles.place_of(1), by)
    (changed,) = made
    assert changed == PointsLoad.model_validate(changed.model_dump())
    assert changed.points[1].rate >= 0.0


def test_a_double_click_adds_a_point_and_a_right_click_takes_it_away(plot, handles, made):
    before = handles._profile.points
    between = (handles.place_of(1) + handles.place_of(2)).toPoint() / 2
    QTest.mouseDClick(plot.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, between)
    assert len(made[-1].points) == 4
    QTest.mouseClick(plot.viewport(), RIGHT, Qt.KeyboardModifier.NoModifier, handles.place_of(2).toPoint())
    assert made[-1].points == before


def test_a_click_beside_all_points_changes_nothing(plot, handles, made):
    drag(plot, handles.place_of(1), QPoint(0, 0))
    made.clear()
    QTest.mouseClick(
        plot.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, handles.place_of(1).toPoint() + QPoint(0, 40)
    )
    assert made == []


def test_the_corners_of_a_load_become_points():
    minutes = {"start": 10 * US_PER_MIN, "rise": 5 * US_PER_MIN, "hold": 20 * US_PER_MIN, "decay": 5 * US_PER_MIN}
    spike = SpikeLoad(type="spike", base=250.0, peak=1000.0, **minutes)
    times = np.arange(0, HOUR, 7 * US_PER_S, dtype=np.int64)
    assert rates(as_points(spike, HOUR), times) == pytest.approx(rates(spike, times), rel=0.005)


def test_a_corner_that_bends_is_one_point_and_a_jump_is_two():
    spike = SpikeLoad(
        type="spike", base=250.0, peak=1000.0, start=10 * US_PER_MIN, rise=5 * US_PER_MIN, hold=20 * US_PER_MIN,
        decay=2 * US_PER_MIN,
    )  # fmt: skip
    assert [point.at // US_PER_MIN for point in as_points(spike, HOUR).points] == [0, 10, 15, 35, 37, 60]
    jump = StepLoad(type="step", from_rate=100.0, to_rate=300.0, at=20 * US_PER_MIN)
    assert [point.at // US_PER_S for point in as_points(jump, HOUR).points] == [0, 1199, 1200, 3600]


def test_a_smooth_load_becomes_even_points():
    wave = SineLoad(type="sine", mean=100.0, amplitude=50.0, period=HOUR)
    assert len(as_points(wave, HOUR).points) == 25
    assert as_points(ConstantLoad(type="constant", rate=1.0), US_PER_S // 2).points[0].at == 0
