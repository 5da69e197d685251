"""The menu of presets: each sets several settings of the plan as one undo step."""

from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QMenu, QWidget

from planner.plan.edits.presets import PRESETS, Preset
from ui.document.plan_document import PlanDocument


class PresetMenu(QObject):
    """Fills menus; what a preset sets already is greyed out."""

    applied = Signal(str)
    """The title of the preset that was chosen."""

    def __init__(self, document: PlanDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document

    def menu(self, parent: QWidget) -> QMenu:
        """A menu that is filled again whenever it opens."""
        menu = QMenu(self.tr("Pre&sets"), parent)
        menu.setToolTipsVisible(True)
        menu.aboutToShow.connect(partial(self.fill, menu))
        return menu

    def fill(self, menu: QMenu) -> None:
        """One entry per preset, with what it is for as the tool tip."""
        menu.clear()
        plan = self._document.plan
        for preset in PRESETS.values():
            action = menu.addAction(_shown(preset.title))
            action.setToolTip(_shown(preset.description))
            action.setEnabled(preset.apply(plan) != plan)
            action.triggered.connect(partial(self.apply, preset))

    def apply(self, preset: Preset, _checked: bool = False) -> None:
        """Change the plan."""
        step_text = self.tr("Preset: {title}").format(title=_shown(preset.title))
        self._document.apply(preset.apply(self._document.plan), step_text)
        self.applied.emit(preset.name)


def _shown(text: str) -> str:
    return QCoreApplication.translate("Presets", text)
