"""The actions of the window that are not about runs, and the menus that contain them."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QKeyCombination, QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from planner.language.translation import LANGUAGES, language
from ui.document.plan_document import PlanDocument
from ui.process.settings import ThemeChoice, WindowSettings
from ui.runs.controls.run_controls import RunControls
from ui.theme.icons import Icons
from ui.theme.theme import ThemeSource

Keys = QKeySequence.StandardKey | QKeyCombination | Qt.Key | None


class WindowActions(QObject):
    """Names, shortcuts and icons of the actions; the window connects them."""

    recent_chosen = Signal(Path)
    language_chosen = Signal(str)
    """The code of a language."""

    def __init__(
        self, document: PlanDocument, settings: WindowSettings, theme: ThemeSource, icons: Icons, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._settings, self._theme, self._icons = settings, theme, icons
        self.import_menu = QMenu(self.tr("&Import"), parent)
        self.export_menu = QMenu(self.tr("&Export"), parent)
        self._make_file_actions()
        self._make_edit_actions(document)
        self._make_view_actions()
        self._make_help_actions()

    def _make_file_actions(self) -> None:
        keys = QKeySequence.StandardKey
        self.new = self._action(self.tr("&New"), keys.New, self.tr("Create an empty plan"), "new")
        self.first_plan = self._action(
            self.tr("&First plan…"), None, self.tr("Five questions about a service, and a plan that runs")
        )
        self.new_window = self._action(
            self.tr("New &window"), _ctrl_shift(Qt.Key.Key_N), self.tr("Another window, for another plan")
        )
        self.open = self._action(self.tr("&Open…"), keys.Open, self.tr("Open a plan file"), "open")
        self.save = self._action(self.tr("&Save"), keys.Save, self.tr("Save the plan"), "save")
        self.save_as = self._action(
            self.tr("Save &as…"), _ctrl_shift(Qt.Key.Key_S), self.tr("Save the plan under a new name")
        )
        self.start_page = self._action(self.tr("S&tart page"), None, self.tr("Samples and recent files"), "home")
        self.quit = self._action(self.tr("&Quit"), keys.Quit, self.tr("Close Headroom"))
        self.quit.setMenuRole(QAction.MenuRole.QuitRole)

    def _make_edit_actions(self, document: PlanDocument) -> None:
        keys = QKeySequence.StandardKey
        self.undo = document.undo_stack.createUndoAction(self, self.tr("Undo"))
        self.redo = document.undo_stack.createRedoAction(self, self.tr("Redo"))
        for action, name, sequence in ((self.undo, "undo", keys.Undo), (self.redo, "redo", keys.Redo)):
            self._icons.dress(action, name)
            action.setIconText("")
            action.setShortcuts(QKeySequence.keyBindings(sequence))
        self.redo.setShortcuts([QKeySequence(_ctrl(Qt.Key.Key_Y)), QKeySequence(_ctrl_shift(Qt.Key.Key_Z))])
        self.problems = self._action(
            self.tr("Show &problems"), Qt.Key.Key_F8, self.tr("Problems with the plan, and hints"), "warning"
        )
        self.headroom = self._action(
            self.tr("Find &headroom…"),
            Qt.Key.Key_F7,
            self.tr("Find out how much more load the plan can take by running it many times"),
            "gauge",
        )

        self.find = self._action(
            self.tr("&Find…"), _ctrl(Qt.Key.Key_K), self.tr("Find a field, an object or an action")
        )

    def _make_view_actions(self) -> None:
        self.reset_layout = self._action(self.tr("&Reset layout"), None, self.tr("Restore the default layout"))
        self.full_screen = self._action(self.tr("&Full screen"), Qt.Key.Key_F11, self.tr("Switch to full screen"))
        self.full_screen.setCheckable(True)
        self.themes = self._theme_actions()
        self.languages = self._language_actions()

    def _make_help_actions(self) -> None:
        self.explain = self._action(
            self.tr("&What is this?"), Qt.Key.Key_F1, self.tr("What the field or figure with the focus means")
        )
        shift_f1 = Qt.KeyboardModifier.ShiftModifier | Qt.Key.Key_F1
        self.shortcuts = self._action(self.tr("&Keyboard shortcuts"), shift_f1, self.tr("All keyboard shortcuts"))
        self.guide = self._action(self.tr("User &guide"), None, self.tr("How to work with Headroom, on a few pages"))
        self.tour = self._action(self.tr("&Tour"), None, self.tr("The window in five steps"))
        self.accuracy = self._action(
            self.tr("Acc&uracy"),
            None,
            self.tr("What is compared with the real components, and how often the two agree"),
        )
        self.model = self._action(
            self.tr("The &model"),
            None,
            self.tr("What is exact, what is approximate and by how much, and what is left out"),
        )
        self.rules = self._action(
            self.tr("&Rules"), None, self.tr("How each component decides, with the upstream files it follows")
        )
        self.log = self._action(self.tr("Open &log folder"), None, self.tr("Log files for bug reports"))
        self.about = self._action(self.tr("&About Headroom"), None, self.tr("Version and licences"), "info")
        self.about.setMenuRole(QAction.MenuRole.AboutRole)

    def fill(
        self, bar: QMenuBar, controls: RunControls, panels: list[QAction | None], editing: list[QAction | None]
    ) -> None:
        """Put all actions into the menus. `panels` show and hide parts; `editing` change the plan's rows."""
        file = _menu(bar, self.tr("&File"), [self.new, self.first_plan, self.new_window, self.open])
        recent = file.addMenu(self.tr("Open &recent"))
        recent.aboutToShow.connect(partial(self._fill_recent, recent))
        file.addMenu(self.import_menu)
        _add(file, [None, self.save, self.save_as, None])
        file.addMenu(self.export_menu)
        _add(file, [None, self.start_page, self.quit])
        _menu(bar, self.tr("&Edit"), [self.undo, self.redo, None, self.find])
        _menu(bar, self.tr("&Plan"), [*editing, *([None] if editing else []), self.problems])
        run = [controls.run_action, controls.pause_action, controls.step_action, controls.stop_action]
        _menu(bar, self.tr("&Run"), [*run, None, self.headroom])
        view = _menu(bar, self.tr("&View"), [*panels, None])
        theme = view.addMenu(self.tr("&Theme"))
        _add(theme, list(self.themes.actions()))
        _add(view.addMenu(self.tr("&Language")), list(self.languages.actions()))
        _add(view, [None, self.reset_layout, self.full_screen])
        pages: list[QAction | None] = [self.accuracy, self.model, self.rules]
        first: list[QAction | None] = [self.guide, self.tour, self.explain, self.shortcuts, None]
        _menu(bar, self.tr("&Help"), [*first, *pages, None, self.log, None, self.about])

    def _action(self, text: str, keys: Keys, tip: str, icon: str = "") -> QAction:
        action = QAction(text, self)
        if isinstance(keys, QKeySequence.StandardKey):
            action.setShortcuts(keys)
        elif keys is not None:
            action.setShortcut(QKeySequence(keys))
        shown = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(self.tr("{what} ({keys})").format(what=tip, keys=shown) if shown else tip)
        action.setStatusTip("")
        if icon:
            self._icons.dress(action, icon)
        return action

    def _theme_actions(self) -> QActionGroup:
        group = QActionGroup(self)
        choices: tuple[tuple[ThemeChoice, str], ...] = (
            ("system", self.tr("Follow the &system")),
            ("light", self.tr("&Light")),
            ("dark", self.tr("&Dark")),
        )
        for choice, text in choices:
            action = QAction(text, group)
            action.setCheckable(True)
            action.setChecked(choice == self._settings.theme)
            action.triggered.connect(partial(self._choose_theme, choice))
        return group

    def _language_actions(self) -> QActionGroup:
        """Each under its own name, which readers of it find in any language."""
        group = QActionGroup(self)
        for code, name in LANGUAGES.items():
            action = QAction(name, group)
            action.setCheckable(True)
            action.setChecked(code == language())
            action.triggered.connect(partial(self.language_chosen.emit, code))
        return group

    def _choose_theme(self, choice: ThemeChoice) -> None:
        self._settings.theme = choice
        self._theme.choose(choice)

    def _fill_recent(self, menu: QMenu) -> None:
        menu.clear()
        for number, path in enumerate(self._settings.recent, 1):
            name = path.name.replace("&", "&&")
            action = menu.addAction(f"&{number}  {name}" if number < 10 else name)
            action.setToolTip(str(path))
            action.setEnabled(path.exists())
            action.triggered.connect(partial(self.recent_chosen.emit, path))
        menu.setToolTipsVisible(True)
        if menu.isEmpty():
            menu.addAction(self.tr("No recent files")).setEnabled(False)
        else:
            menu.addSeparator()
            menu.addAction(self.tr("&Clear list")).triggered.connect(self._settings.clear_recent)


def toggle(text: str, keys: QKeyCombination, show: Callable[[bool], object], parent: QObject) -> QAction:
    """An action that shows and hides a part of the window."""
    action = QAction(text, parent)
    action.setCheckable(True)
    action.setChecked(True)
    action.setShortcut(QKeySequence(keys))
    action.toggled.connect(show)
    return action


def _menu(bar: QMenuBar, title: str, actions: list[QAction | None]) -> QMenu:
    menu = bar.addMenu(title)
    _add(menu, actions)
    return menu


def _add(menu: QMenu, actions: list[QAction | None]) -> None:
    for action in actions:
        if action is None:
            menu.addSeparator()
        else:
            menu.addAction(action)


def _ctrl(key: Qt.Key) -> QKeyCombination:
    return Qt.KeyboardModifier.ControlModifier | key


def _ctrl_shift(key: Qt.Key) -> QKeyCombination:
    return Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier | key
