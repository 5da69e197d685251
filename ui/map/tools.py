"""The line above the map: what to look at, what the pods are stacked and coloured by, and a search."""

from dataclasses import replace
from enum import Enum
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QComboBox, QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from ui.map.drawing.coloring import Coloring
from ui.map.drawing.scene import MapLook
from ui.map.drawing.words import STACKINGS, translate


class Page(Enum):
    """What the cluster is looked at as."""

    MAP = 0
    NODES = 1
    PODS = 2


class MapTools(QWidget):
    """Says how the map is to look."""

    look_changed = Signal(object)
    """A `MapLook`; its zoom is the map's own."""
    page_chosen = Signal(object)
    next_wanted = Signal()
    """Enter in the search: go to what is found next."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = MapLook()
        across = QHBoxLayout(self)
        across.setContentsMargins(10, 6, 10, 2)
        across.setSpacing(6)
        self.pages = QButtonGroup(self)
        names = {
            Page.MAP: (self.tr("Map"), self.tr("Nodes as boxes with their pods in them")),
            Page.NODES: (self.tr("Nodes"), self.tr("As kubectl get nodes -o wide, at the time of the cursor")),
            Page.PODS: (self.tr("Pods"), self.tr("As kubectl get pods -o wide, at the time of the cursor")),
        }
        for page, (name, tip) in names.items():
            across.addWidget(self._page_button(page, name, tip))
        across.addSpacing(8)
        self.stacking = self._combo(self.tr("Stack by"), [(what, translate(text)) for what, text in STACKINGS.items()])
        colorings = {
            Coloring.WORKLOAD: self.tr("Workload"),
            Coloring.PRIORITY: self.tr("Priority"),
            Coloring.USE: self.tr("Use of the request"),
            Coloring.COST: self.tr("Cost"),
            Coloring.CAPACITY_TYPE: self.tr("Capacity type"),
        }
        self.coloring = self._combo(self.tr("Colour by"), list(colorings.items()))
        self._of_map = []
        for caption, combo in ((self.tr("Stac&k by"), self.stacking), (self.tr("&Colour by"), self.coloring)):
            label = QLabel(caption)
            label.setBuddy(combo)
            across.addWidget(label)
            across.addWidget(combo)
            self._of_map += [label, combo]
        across.addStretch(0)
        self.search = self._search_field()
        across.addWidget(self.search, 1)  # before the empty room beside it

    def _search_field(self) -> QLineEdit:
        field = QLineEdit()
        field.setPlaceholderText(self.tr("Find a pod or node"))
        field.setAccessibleName(self.tr("Find a pod or node"))
        field.setToolTip(
            self.tr("A workload, a namespace, or the name of a pod or node or its beginning; Enter goes to the next")
        )
        field.setClearButtonEnabled(True)
        field.setMaximumWidth(220)
        field.textChanged.connect(self._changed)
        field.returnPressed.connect(self.next_wanted)
        return field

    def choose_page(self, page: Page) -> None:
        """Look at the cluster as this."""
        self.pages.button(page.value).setChecked(True)
        for part in self._of_map:
            part.setVisible(page is Page.MAP)
        self.page_chosen.emit(page)

    def _page_button(self, page: Page, name: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(name)
        button.setCheckable(True)
        button.setChecked(page is Page.MAP)
        button.setAutoRaise(True)
        button.setToolTip(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(partial(self.choose_page, page))
        self.pages.addButton(button, page.value)
        return button

    def _combo(self, name: str, choices: list[tuple[object, str]]) -> QComboBox:
        combo = QComboBox()
        combo.setAccessibleName(name)
        combo.setToolTip(name)
        for what, text in choices:
            combo.addItem(text, what)
        combo.currentIndexChanged.connect(self._changed)
        return combo

    def _changed(self) -> None:
        look = replace(
            self._look,
            stacking=self.stacking.currentData(),
            coloring=self.coloring.currentData(),
            wanted=self.search.text().strip(),
        )
        if look != self._look:
            self._look = look
            self.look_changed.emit(look)
