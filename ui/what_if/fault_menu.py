"""The menu "What if": adds a fault to the plan at the time of the cursor, as one undo step."""

from functools import partial
from itertools import groupby

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu, QWidget

from planner.plan.edits.edit import insert_many
from planner.units import US_PER_S
from ui.document.plan_document import PlanDocument
from ui.runs.time_cursor import TimeCursor
from ui.what_if.suggestions import Suggestion, suggestions
from ui.widgets.emptied import emptied
from ui.wording.numbers import clock_text


class FaultMenu(QObject):
    """Fills menus; a chosen fault goes into the plan."""

    added = Signal(int)
    """The row of the new event."""

    def __init__(self, document: PlanDocument, cursor: TimeCursor, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._cursor = document, cursor

    @property
    def at_us(self) -> int:
        """The cursor's time in whole seconds, within the run; without a cursor the middle of the run."""
        duration_us = self._document.plan.simulation.duration
        time_s = self._cursor.time_s
        seconds = round(time_s) if time_s is not None else duration_us // (2 * US_PER_S)
        return min(max(0, seconds * US_PER_S), duration_us)

    def menu(self, parent: QWidget) -> QMenu:
        """A menu that is filled again whenever it opens."""
        menu = QMenu(self.tr("What &if …"), parent)
        menu.setToolTipsVisible(True)
        menu.aboutToShow.connect(partial(self.fill, menu))
        return menu

    def extend(self, menu: QMenu) -> None:
        """Put the menu into another one."""
        menu.addMenu(self.menu(menu))

    def fill(self, menu: QMenu) -> None:
        """Headings with the places where the fault may strike."""
        emptied(menu)
        at_us = self.at_us
        menu.addSection(self.tr("At {time}").format(time=clock_text(at_us / US_PER_S)))
        for fault, found in groupby(suggestions(self._document.plan, at_us), key=lambda one: one.fault):
            offered = list(found)
            if not offered[0].place:
                menu.addAction(fault.title).triggered.connect(partial(self.add, offered[0]))
                continue
            places = menu.addMenu(fault.title)
            for one in offered:
                places.addAction(one.place.replace("&", "&&")).triggered.connect(partial(self.add, one))
        if len(menu.actions()) == 1:
            menu.addAction(self.tr("Add a node pool first")).setEnabled(False)

    def add(self, suggestion: Suggestion, _checked: bool = False) -> None:
        """Put the fault into the plan, behind the events it has."""
        plan = self._document.plan
        row = len(plan.events)
        self._document.apply(insert_many(plan, ("events", row), [suggestion.event]), suggestion.step_text)
        self.added.emit(row)
