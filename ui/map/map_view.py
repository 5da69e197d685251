"""The widget that draws the map and answers pointer and keys. It paints one picture per moment, no item per pod."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from planner.record.moment import ClusterMoment, Timeline
from ui.map.drawing.coloring import rgb
from ui.map.drawing.headings import Headings
from ui.map.drawing.layout import HEAD_PX
from ui.map.drawing.pod_names import LETTERS_PX, pod_names
from ui.map.drawing.raster import Canvas, paint_boxes
from ui.map.drawing.scene import Ground, MapLook, MapScene
from ui.map.drawing.words import node_words, pod_words
from ui.process.guard import guarded
from ui.runs.run_data import RunData
from ui.theme.theme import ThemeSource

MARGIN_PX = 12
_MOST_ZOOM = 8


@dataclass(frozen=True)
class Picked:
    """What the reader chose: a node, or a pod on it or waiting."""

    node: int | None = None
    pod: int | None = None


NOTHING = Picked()


class MapView(QAbstractScrollArea):
    """Nodes as boxes in lanes by pool and zone, with their pods stacked in them."""

    picked = Signal(object)
    """A `Picked`, by pointer or key."""
    drawn = Signal()
    """Another scene is shown."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._ground: Ground | None = None
        self._time_us = 0
        self._pixels: NDArray[np.uint32] = np.empty((0, 0), np.uint32)
        self._pictured: tuple[MapScene, int] | None = None
        """What the pixels show: a scene, scrolled down so far."""
        self._headings = Headings(self.viewport())
        self.look = MapLook()
        self.scene: MapScene | None = None
        self.choice = NOTHING
        self.empty_text = ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Cluster map"))
        self.verticalScrollBar().setSingleStep(24)
        theme.changed.connect(self._renew)

    # -- what is shown ----------------------------------------------------------------------------

    def show_history(self, run: RunData | None) -> None:
        """Another run, or more of the same."""
        history = run.history if run is not None else None
        self._ground = Ground(run, Timeline(history)) if run is not None and history is not None else None
        self._pictured = None
        self._headings.forget()
        self._renew()

    def show_time(self, time_us: int) -> None:
        """Another moment."""
        if time_us != self._time_us:
            self._time_us = time_us
            self._renew()

    def show_look(self, look: MapLook) -> None:
        """Stack or colour otherwise, or search for something."""
        if look != self.look:
            self.look = look
            self._renew()

    def choose(self, choice: Picked) -> None:
        """Mark a node or a pod."""
        if choice != self.choice:
            self.choice = choice
            self._show_choice()
            self.viewport().update()

    def _renew(self) -> None:
        self.scene = None
        if self.isVisible():
            self.viewport().update()

    def current_scene(self) -> MapScene | None:
        """What is shown, or would be; None without a run."""
        return self._make_scene()

    def _make_scene(self) -> MapScene | None:
        if self.scene is None and self._ground is not None:
            width, height = self.viewport().width() - 2 * MARGIN_PX, self.viewport().height() - MARGIN_PX
            layout = self._ground.layout(max(width, 40), max(height, 40), self.look)
            moment = ClusterMoment(self._ground.timeline, self._time_us)
            self.scene = MapScene(self._ground, moment, layout, self.look, self._theme.current)
            bar = self.verticalScrollBar()
            bar.setPageStep(height)
            bar.setRange(0, max(0, layout.total_height - height))
            self.drawn.emit()
        return self.scene

    # -- painting ---------------------------------------------------------------------------------

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        scene, area = self._make_scene(), self.viewport().rect()
        painter = QPainter(self.viewport())
        if scene is None or not len(scene.layout.lanes):
            painter.fillRect(area, QColor(self._theme.current.panel))
            painter.setPen(QColor(self._theme.current.muted))
            flags = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
            painter.drawText(area.adjusted(40, 20, -40, -20), flags, self.empty_text)
            return
        painter.drawImage(0, 0, self._picture(scene))
        self._paint_names(painter, scene)
        self._headings.paint(painter, scene, MARGIN_PX, self.verticalScrollBar().value())
        self._paint_choice(painter, scene)

    def _picture(self, scene: MapScene) -> QImage:
        """The boxes, as many pixels as the view has; the screen's own scale only enlarges them."""
        width, height, top = self.viewport().width(), self.viewport().height(), self.verticalScrollBar().value()
        if self._pixels.shape != (height, width):
            self._pixels, self._pictured = np.empty((height, width), np.uint32), None
        if self._pictured != (scene, top):
            self._pictured = scene, top
            self._pixels.fill(rgb(scene.theme.panel))
            canvas = Canvas(self._pixels[:, MARGIN_PX : width - MARGIN_PX], top)
            paint_boxes(canvas, scene.layout, scene.moment, scene.stacks, scene.colors, scene.theme)
        return QImage(self._pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32)

    def _paint_names(self, painter: QPainter, scene: MapScene) -> None:
        small = QFont(self.font())
        small.setPixelSize(LETTERS_PX)
        painter.setFont(small)
        top = self.verticalScrollBar().value()
        for name in pod_names(scene, top, top + self.viewport().height(), painter.fontMetrics()):
            painter.setPen(name.color)
            painter.drawText(name.area.translated(MARGIN_PX, -top), int(Qt.AlignmentFlag.AlignCenter), name.text)
        painter.setFont(self.font())

    def _paint_choice(self, painter: QPainter, scene: MapScene) -> None:
        node = self.choice.node
        if node is None or node not in scene.moment.nodes:
            return
        x, y, width, height = scene.box(node)
        box = QRect(x + MARGIN_PX, y - self.verticalScrollBar().value(), width, height)
        painter.setPen(QPen(QColor(self._theme.current.text), 2))
        painter.drawRect(box.adjusted(-1, -1, 1, 1))
        at = np.flatnonzero(scene.stacks.pods == (-1 if self.choice.pod is None else self.choice.pod))
        if len(at):
            low, high = int(scene.stacks.low[at[0]]), int(scene.stacks.high[at[0]])
            pod = QRect(box.left(), box.top() + height - high, width, max(high - low, 2))
            painter.setPen(QPen(QColor(self._theme.current.panel), 3))
            painter.drawRect(pod)
            painter.setPen(QPen(QColor(self._theme.current.text), 1.5))
            painter.drawRect(pod)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._renew()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    # -- pointer ----------------------------------------------------------------------------------

    def _under(self, place: QPoint) -> Picked:
        scene = self.scene
        if scene is None:
            return NOTHING
        x, y = place.x() - MARGIN_PX, place.y() + self.verticalScrollBar().value()
        node = scene.node_at(x, y)
        return NOTHING if node is None else Picked(node, scene.pod_at(node, y))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pick(self._under(event.position().toPoint()))

    def _pick(self, choice: Picked) -> None:
        self.choose(choice)
        self.picked.emit(choice)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            under = self._under(event.pos())
            scene = self.scene
            if scene is None or under.node is None:
                QToolTip.hideText()
            else:
                words = node_words(scene, under.node)
                text = words if under.pod is None else f"{pod_words(scene, under.pod)}\n\n{words}"
                QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().viewportEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1 if event.angleDelta().y() > 0 else -1)
        else:
            super().wheelEvent(event)

    def zoom(self, steps: int) -> None:
        """Larger or smaller boxes than those with which everything fits."""
        zoom = min(max(self.look.zoom + steps, 0), _MOST_ZOOM)
        self.show_look(replace(self.look, zoom=zoom))

    # -- keys -------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows go from node to node, with Shift from pod to pod in a node; + and - change the size."""
        scene, key = self._make_scene(), event.key()
        steps = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}
        if scene is None:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._step_pod(scene, 1 if key == Qt.Key.Key_Up else -1)
        elif key in steps:
            node = scene.neighbour(self.choice.node, *steps[Qt.Key(key)])
            self._pick(Picked(node) if node is not None else NOTHING)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            self.zoom(-1 if key == Qt.Key.Key_Minus else 1)
        elif key == Qt.Key.Key_Escape and self.choice != NOTHING:
            self._pick(NOTHING)
        else:
            super().keyPressEvent(event)

    def _step_pod(self, scene: MapScene, step: int) -> None:
        node = self.choice.node
        pods = scene.moment.pods_on(node).tolist() if node is not None else []
        if pods:
            pod = self.choice.pod
            at = pods.index(pod) + step if pod in pods else (0 if step > 0 else len(pods) - 1)
            self._pick(Picked(node, pods[min(max(at, 0), len(pods) - 1)]))

    def _show_choice(self) -> None:
        """Scroll the chosen node into view."""
        scene, node = self.scene, self.choice.node
        if scene is None or node is None:
            return
        _x, y, _width, height = scene.box(node)
        bar = self.verticalScrollBar()
        if y - HEAD_PX < bar.value():
            bar.setValue(y - HEAD_PX)
        elif y + height > bar.value() + self.viewport().height() - MARGIN_PX:
            bar.setValue(y + height - self.viewport().height() + MARGIN_PX)
