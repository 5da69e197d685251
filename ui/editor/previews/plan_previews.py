"""The load of the chosen workload and the answer of its autoscaler, large, below the table of the plan workspace."""

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from planner.plan.files.places import Path
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import LoadProfile, PointsLoad
from planner.plan.model.workloads import Workload
from ui.theme.theme import ThemeSource

_LEAST_PX = 116
_UNBOUND_PX = 16_777_215


class PlanPreviews(QWidget):
    """Two plots side by side; what a row does not have is left out, and all of it where it has neither."""

    load_drawn = Signal(tuple, object)
    """The path of a workload's traffic, and the PointsLoad that the user has made of its load."""

    paste_wanted = Signal(tuple)
    """The path of a workload's traffic, which is to get the points of the clipboard."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        from ui.editor.previews.point_handles import PointHandles  # these need pyqtgraph, which takes its time
        from ui.editor.previews.profile_plot import ProfilePlot
        from ui.editor.previews.reaction_plot import ReactionPlot

        self._load_title, self._reaction_title = QLabel(), QLabel()
        self.load, self.reaction = ProfilePlot(theme, self.tr("req/s")), ReactionPlot(theme)
        self.load.setAccessibleName(self.tr("Requests per second over the run"))
        self.handles = PointHandles(self.load)
        self._shown: Path = ()
        self.handles.changed.connect(lambda profile: self.load_drawn.emit(self._shown, profile))
        self.draw, self.paste = QPushButton(self.tr("Draw it")), QPushButton(self.tr("Paste points"))
        self.draw.setToolTip(
            self.tr("Turn the load into points: drag them, double-click for a new one, right-click to remove one")
        )
        self.paste.setToolTip(self.tr("Two columns: times such as 90, 10m or 0:10, and requests per second"))
        self.draw.clicked.connect(self._draw)
        self.paste.clicked.connect(lambda: self.paste_wanted.emit(self._shown))
        self._load: LoadProfile | None = None
        self.how = QLabel(self.tr("Drag a point, double-click for a new one, right-click to remove one."))
        self.how.setProperty("muted", True)
        self.how.setWordWrap(True)
        for plot in (self.load, self.reaction.plot):
            plot.setMinimumHeight(_LEAST_PX)
            plot.setMaximumHeight(_UNBOUND_PX)
        across = QHBoxLayout(self)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(12)
        self._sides = []
        for title, part in ((self._load_title, self.load), (self._reaction_title, self.reaction)):
            title.setProperty("heading", True)
            title.setMinimumHeight(self.paste.sizeHint().height())  # both stand at one height
            side = QWidget()
            side.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # both have the same room
            down = QVBoxLayout(side)
            down.setContentsMargins(2, 0, 2, 0)
            head = QHBoxLayout()
            head.addWidget(title, 1)
            for button in (self.draw, self.paste) if part is self.load else ():
                head.addWidget(button)
            down.addLayout(head)
            down.addWidget(part, 1)
            if part is self.load:
                down.addWidget(self.how)
            across.addWidget(side, 1)
            self._sides.append(side)

    def _draw(self) -> None:
        from ui.editor.previews.point_handles import as_points

        if self._load is not None:
            self.load_drawn.emit(self._shown, as_points(self._load, self.load.span_us))

    def show_row(self, row: Any, plan: Plan) -> None:
        """Show a row of the plan; None shows nothing."""
        workload, hpa = _pair_of(row, plan)
        traffic = workload.traffic if workload is not None else None
        for side, is_there in zip(self._sides, (traffic is not None, hpa is not None), strict=True):
            side.setVisible(is_there)
        self.setVisible(traffic is not None or hpa is not None)
        if workload is not None and traffic is not None:
            self._load_title.setText(self.tr("Load of {0}").format(workload.name))
            self._shown = ("workloads", plan.workloads.index(workload), "traffic")
            self.handles.show_profile(traffic.profile, plan.simulation.duration, traffic.noise.cv)
            self._load = traffic.profile
            self.how.setVisible(isinstance(traffic.profile, PointsLoad))
            self.draw.setVisible(not isinstance(traffic.profile, PointsLoad))
        if hpa is not None:
            self._reaction_title.setText(self.tr("How {0} reacts").format(hpa.name))
            position = plan.horizontal_pod_autoscalers.index(hpa)
            self.reaction.present(("horizontal_pod_autoscalers", position), hpa, plan)


def _pair_of(row: Any, plan: Plan) -> tuple[Workload | None, HorizontalPodAutoscaler | None]:
    """A workload and its autoscaler, given one of them."""
    if isinstance(row, Workload):
        for hpa in plan.horizontal_pod_autoscalers:
            if (hpa.namespace, hpa.scale_target) == (row.namespace, row.name):
                return row, hpa
        return row, None
    if isinstance(row, HorizontalPodAutoscaler):
        key = row.namespace, row.scale_target
        return next((one for one in plan.workloads if (one.namespace, one.name) == key), None), row
    return None, None
