"""Profiles drawn while they are edited: the load of a workload, the use of its pods, the values of a metric."""

from typing import Any

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from planner.plan.edits.edit import value_at
from planner.plan.edits.trace_clock import has_other_traces, with_clock
from planner.plan.files.places import Path
from planner.plan.model.autoscalers.metric_series import ProfileValue
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import LoadProfile, PointsLoad, TraceLoad
from planner.plan.model.use import UseOverTime
from ui.editor.forms.card import Card
from ui.editor.forms.editor_base import FormLink
from ui.editor.previews.pasted_points import NoPoints, points_of
from ui.editor.previews.point_handles import PointHandles, as_points
from ui.editor.previews.profile_plot import ProfilePlot
from ui.editor.previews.trace_dialog import TraceDialog


class _Preview(Card):
    """A plot that is redrawn when the value or the length of the run changes."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[Any, int] | None = None
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(3)

    def present(self, path: Path, value: Any, plan: Plan) -> None:
        duration_us = plan.simulation.duration
        if self._shown is None or self._shown[0] is not value or self._shown[1] != duration_us:
            self._shown = (value, duration_us)
            self.draw(value, duration_us)

    def draw(self, value: Any, duration_us: int) -> None:
        """Draw a value for a run that long."""
        raise NotImplementedError


class LoadPreview(_Preview):
    """Requests per second over the simulated time, and the way to a recorded load."""

    def __init__(self, link: FormLink) -> None:
        super().__init__()
        self._link, self._path = link, ()  # type: tuple[FormLink, Path]
        self._profile: LoadProfile | None = None
        self.plot = ProfilePlot(link.theme, self.tr("req/s"))
        self.plot.setAccessibleName(self.tr("Requests per second over the run"))
        self.record = QPushButton(self.tr("Recorded load…"))
        self.record.setToolTip(
            self.tr("Use a load recorded in a CSV file or in the JSON result of a Prometheus range query")
        )
        self.record.clicked.connect(self._choose_file)
        self.handles = PointHandles(self.plot)
        self.handles.changed.connect(self._put)
        self.as_points = QPushButton(self.tr("Draw it"))
        self.as_points.setToolTip(
            self.tr("Turn the load into points: drag them, double-click for a new one, right-click to remove one")
        )
        self.as_points.clicked.connect(self._draw_points)
        self.column.addWidget(self.plot)
        self.paste = QPushButton(self.tr("Paste points"))
        self.paste.setToolTip(self.tr("Two columns: times such as 90, 10m or 0:10, and requests per second"))
        self.paste.clicked.connect(self._paste)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.as_points)
        row.addWidget(self.paste)
        row.addWidget(self.record)
        self.column.addLayout(row)

    def present(self, path: Path, value: Any, plan: Plan) -> None:
        self._path = path
        super().present(path, value, plan)

    def draw(self, value: Any, duration_us: int) -> None:
        self._profile = value.profile
        self.handles.show_profile(value.profile, duration_us, value.noise.cv)
        self.as_points.setVisible(not isinstance(value.profile, PointsLoad))

    def _draw_points(self) -> None:
        if self._profile is not None:
            self._put(as_points(self._profile, self.plot.span_us))

    def _paste(self) -> None:
        try:
            self._put(points_of(QGuiApplication.clipboard().text()))
        except NoPoints as why:
            self._link.edits.refused.emit(str(why))

    def _put(self, profile: LoadProfile, merge: str = "") -> None:
        self._link.edits.put_load(self._path, profile, merge)

    def _choose_file(self) -> None:
        plan = self._link.edits.document.plan
        dialog = TraceDialog(self._link.theme, plan.simulation.duration, self._take_trace, self.window())
        dialog.clock.setChecked(not has_other_traces(plan, str(value_at(plan, (*self._path[:2], "name")))))
        dialog.open()

    def _take_trace(self, trace: TraceLoad, begins_at_us: int | None) -> None:
        """`begins_at_us`: of its first value, if the run shall start at the date of the recording."""
        document = self._link.edits.document
        merge = f"recorded load {trace.source}"  # one step of undo for both
        self._put(trace, merge)
        if begins_at_us is not None:
            document.apply(with_clock(document.plan, trace, begins_at_us), self.tr("Recorded load"), merge)


class UsePreview(_Preview):
    """Cores and bytes of each pod over the simulated time."""

    def __init__(self, link: FormLink) -> None:
        super().__init__()
        parts = (("cpu", self.tr("CPU per pod"), self.tr("cores")), ("memory", self.tr("Memory per pod"), "B"))
        self.plots: dict[str, ProfilePlot] = {}
        self._titles: dict[str, QLabel] = {}
        for name, title, unit in parts:
            self._titles[name], self.plots[name] = QLabel(title), ProfilePlot(link.theme, unit)
            self._titles[name].setProperty("muted", True)
            self.plots[name].setAccessibleName(title)
            self.column.addWidget(self._titles[name])
            self.column.addWidget(self.plots[name])

    def draw(self, value: UseOverTime, duration_us: int) -> None:
        for name, plot in self.plots.items():
            profile = getattr(value, name)
            for part in (self._titles[name], plot):
                part.setVisible(profile is not None)
            if profile is not None:
                plot.show_profile(profile, duration_us)


class MetricPreview(_Preview):
    """Values of a metric over the simulated time."""

    def __init__(self, link: FormLink) -> None:
        super().__init__()
        self.plot = ProfilePlot(link.theme, self.tr("value"))
        self.plot.setAccessibleName(self.tr("Values of the metric over the run"))
        self.column.addWidget(self.plot)

    def draw(self, value: ProfileValue, duration_us: int) -> None:
        self.plot.show_profile(value.profile, duration_us)
