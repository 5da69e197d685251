"""Points of a load that are dragged in its picture: double-click adds one, a right click takes one away."""

from itertools import pairwise

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent

from planner.plan.model.traffic import (
    ClipLoad,
    ConstantLoad,
    LoadPoint,
    LoadProfile,
    PointsLoad,
    RampLoad,
    ScaleLoad,
    SpikeLoad,
    StepLoad,
    SumLoad,
)
from planner.units import US_PER_S
from planner.workloads.load_profiles import rates
from ui.editor.previews.profile_plot import ProfilePlot
from ui.editor.previews.profile_times import corners_of, parts_of

_REACH_PX, _SIZE_PX = 12.0, 9
_MOST_POINTS = 200
"""More are too close to each other to be taken hold of."""
_DRAWN_POINTS = 25
_DIGITS = 3
_ON_LINE = 0.002
"""Of the rate: as far from a line as rounding takes a point."""
_ANGULAR = (ConstantLoad, StepLoad, RampLoad, SpikeLoad, SumLoad, ScaleLoad, ClipLoad)
"""Straight between their corners."""


class PointHandles(QObject):
    """Lies on a plot while it shows a profile of points."""

    changed = Signal(object)
    """The user has made this PointsLoad; once, when the button is released."""

    def __init__(self, plot: ProfilePlot) -> None:
        super().__init__(plot)
        self._plot = plot
        self._profile: PointsLoad | None = None
        self._duration_us, self._cv = 0, 0.0
        self._dragged: int | None = None
        self._dots = pg.ScatterPlotItem(size=_SIZE_PX)
        self._dots.setZValue(10)
        plot.addItem(self._dots)
        plot.viewport().installEventFilter(self)

    def show_profile(self, profile: LoadProfile, duration_us: int, cv: float) -> None:
        """Draw this profile, with handles if it has points."""
        self._duration_us, self._cv, self._dragged = duration_us, cv, None
        self._profile = profile if isinstance(profile, PointsLoad) and len(profile.points) <= _MOST_POINTS else None
        self._plot.show_profile(profile, duration_us, cv)
        self._plot.take_mouse(self._profile is not None)
        self._place()

    def place_of(self, number: int) -> QPointF:
        """Where a handle is, in pixels of the plot's viewport."""
        x, y = self._dots.getData()
        scene = self._plot.getViewBox().mapViewToScene(QPointF(float(x[number]), float(y[number])))
        return QPointF(self._plot.mapFromScene(scene))

    def _place(self) -> None:
        points = self._profile.points if self._profile is not None else ()
        self._dots.setData(
            [point.at / self._plot.us_per_x for point in points], [point.rate / self._plot.per_y for point in points],
            brush=self._plot.curve.opts["pen"].color(), pen=None,
        )  # fmt: skip

    # -- mouse ------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self._profile is None or not isinstance(event, QMouseEvent):
            return False
        kind, left = event.type(), event.button() is Qt.MouseButton.LeftButton
        if kind is QEvent.Type.MouseButtonDblClick and left:
            self._add(event.position())
        elif kind is QEvent.Type.MouseButtonPress and left:
            self._dragged = self._nearest(event.position())
        elif kind is QEvent.Type.MouseButtonPress and event.button() is Qt.MouseButton.RightButton:
            self._remove(self._nearest(event.position()))
        elif kind is QEvent.Type.MouseMove and self._dragged is not None:
            self._drag(self._dragged, event.position())
        elif kind is QEvent.Type.MouseButtonRelease and left and self._dragged is not None:
            self._dragged = None
            self.changed.emit(self._profile)
        return True

    def _nearest(self, at: QPointF) -> int | None:
        assert self._profile is not None
        places = [self.place_of(number) for number in range(len(self._profile.points))]
        far = [abs(place.x() - at.x()) + abs(place.y() - at.y()) for place in places]
        number = int(np.argmin(far))
        return number if far[number] <= _REACH_PX else None

    def _point_at(self, at: QPointF) -> LoadPoint:
        """In whole seconds and with sensible digits."""
        there = self._plot.getViewBox().mapSceneToView(self._plot.mapToScene(at.toPoint()))
        seconds = max(round(there.x() * self._plot.us_per_x / US_PER_S), 0)
        rate = max(float(f"{there.y() * self._plot.per_y:.{_DIGITS}g}"), 0.0)
        return LoadPoint(at=seconds * US_PER_S, rate=rate)

    def _drag(self, number: int, at: QPointF) -> None:
        """A point stays between its neighbours."""
        assert self._profile is not None
        points, moved = list(self._profile.points), self._point_at(at)
        earliest = points[number - 1].at + US_PER_S if number else 0
        latest = points[number + 1].at - US_PER_S if number + 1 < len(points) else self._plot.span_us
        at_us = max(min(moved.at, latest), earliest)
        if number + 1 < len(points) and at_us >= points[number + 1].at:
            at_us = points[number].at  # closer than a second: it only moves up and down
        points[number] = LoadPoint(at=at_us, rate=moved.rate)
        self._hold(points)

    def _add(self, at: QPointF) -> None:
        assert self._profile is not None
        new = self._point_at(at)
        if all(point.at != new.at for point in self._profile.points):
            self._hold(sorted((*self._profile.points, new), key=lambda point: point.at))
            self.changed.emit(self._profile)

    def _remove(self, number: int | None) -> None:
        assert self._profile is not None
        points = list(self._profile.points)
        if number is not None and len(points) > 1:
            del points[number]
            self._hold(points)
            self.changed.emit(self._profile)

    def _hold(self, points: list[LoadPoint]) -> None:
        """Show other points; the axes stay, or the point would run from the pointer."""
        assert self._profile is not None
        self._profile = self._profile.model_copy(update={"points": tuple(points)})
        self._plot.show_profile(self._profile, self._duration_us, self._cv, keeps_axes=True)
        self._place()


def as_points(profile: LoadProfile, span_us: int) -> PointsLoad:
    """About the same load as points that can be dragged."""
    corners = [at for at in corners_of(profile) if 0 <= at <= span_us]
    is_angular = 0 < len(corners) <= _MOST_POINTS // 3 and all(isinstance(one, _ANGULAR) for one in parts_of(profile))
    around = [near for at in corners for near in (at - US_PER_S, at)]  # a jump needs a point on both of its sides
    chosen = [0, *around, span_us] if is_angular else np.linspace(0, span_us, _DRAWN_POINTS)
    times = np.unique(np.clip(np.asarray(chosen), 0, None).astype(np.int64) // US_PER_S * US_PER_S)
    values = rates(profile, times)
    points = [LoadPoint(at=int(at), rate=float(f"{rate:.{_DIGITS}g}")) for at, rate in zip(times, values, strict=True)]
    return PointsLoad(type="points", points=tuple(_bends(points) if is_angular else points))


def _bends(points: list[LoadPoint]) -> list[LoadPoint]:
    """Without the points that lie on the line between their neighbours: a corner that only bends is one point."""
    kept = points[:1]
    for point, after in pairwise(points[1:]):
        before = kept[-1]
        on_line = before.rate + (after.rate - before.rate) * (point.at - before.at) / (after.at - before.at)
        if abs(point.rate - on_line) > _ON_LINE * max(before.rate, point.rate, after.rate):
            kept.append(point)
    return [*kept, *points[1:][-1:]]
