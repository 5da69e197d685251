"""The tool bar: files, undo, run, speed, seed, baseline, export."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMainWindow, QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from ui.runs.controls.run_controls import RunControls
from ui.shell.window_actions import WindowActions
from ui.shell.workspace_switch import WorkspaceSwitch
from ui.theme.icons import Icons

_ICON_PX, _SIGN_PX = 18, 12
_SEED_PX = 60
_BASELINE_LEAST_PX, _BASELINE_MOST_PX = 96, 280
"""The least with which all of the bar fits into a window of 1280 pixels; a wider one leaves room for long names."""


def tool_bar(
    actions: WindowActions, controls: RunControls, switch: WorkspaceSwitch, icons: Icons, window: QMainWindow
) -> QToolBar:
    """What is needed most, in one row."""
    bar = QToolBar(window.tr("Toolbar"), window)
    bar.setObjectName("tools")
    bar.setMovable(False)
    bar.setIconSize(QSize(_ICON_PX, _ICON_PX))
    bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    bar.toggleViewAction().setVisible(False)
    run_actions = (
        (controls.run_action, "run"),
        (controls.pause_action, "pause"),
        (controls.step_action, "step"),
        (controls.stop_action, "stop"),
    )
    for action, name in run_actions:
        icons.dress(action, name)
    for part in (actions.new, actions.open, actions.save, None, actions.undo, actions.redo, None):
        _add(bar, part)
    bar.addWidget(switch.bar)
    bar.addWidget(_run_button(controls.run_action, icons))
    for action, _name in run_actions[1:]:
        _add(bar, action)
    bar.addSeparator()
    controls.seed.setMaximumWidth(_SEED_PX)
    controls.baseline.setMinimumWidth(_BASELINE_LEAST_PX)
    controls.baseline.setMaximumWidth(_BASELINE_MOST_PX)
    bar.addWidget(controls.speed)
    bar.addWidget(_captioned(window.tr("See&d"), controls.seed))
    space = QWidget()
    space.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
    bar.addWidget(space)
    bar.addWidget(_captioned(window.tr("&Baseline"), controls.baseline))
    bar.addWidget(_export_button(actions.export_menu, icons, window))
    _show_rest(bar, icons, window)
    return bar


def _show_rest(bar: QToolBar, icons: Icons, window: QMainWindow) -> None:
    """The button that shows what a narrow window has no room for; Qt's own drawing is lost with a style sheet."""
    rest = bar.findChild(QToolButton, "qt_toolbar_ext_button")
    if isinstance(rest, QToolButton):
        icons.dress(rest, "more")
        rest.setIconSize(QSize(_SIGN_PX, _SIGN_PX))
        rest.setToolTip(window.tr("The rest of the tool bar"))
        rest.setAccessibleName(window.tr("The rest of the tool bar"))


def _add(bar: QToolBar, action: QAction | None) -> None:
    if action is None:
        bar.addSeparator()
        return
    bar.addAction(action)
    button = bar.widgetForAction(action)
    button.setAccessibleName(action.text().replace("&", ""))
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)


def _run_button(action: QAction, icons: Icons) -> QToolButton:
    """The one button in the accent colour; its drawing differs from the menu's."""
    button = QToolButton()
    button.setObjectName("primary")
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setText(action.text().replace("&", ""))
    button.setToolTip(action.toolTip())
    button.setAccessibleName(action.text().replace("&", ""))
    icons.dress(button, "run", on_accent=True)
    button.clicked.connect(action.trigger)
    action.enabledChanged.connect(button.setEnabled)
    return button


def _export_button(menu: QMenu, icons: Icons, window: QMainWindow) -> QToolButton:
    """Opens the menu of all exports."""
    button = QToolButton()
    button.setObjectName("export")
    button.setMenu(menu)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setToolTip(window.tr("Reports, pictures and figures of the current run; manifests of the plan"))
    button.setAccessibleName(window.tr("Export"))
    button.setStyleSheet("QToolButton::menu-indicator { image: none; }")
    icons.dress(button, "export")
    return button


def _captioned(text: str, part: QWidget) -> QWidget:
    """A part with what it is called, which is not left alone where the bar has no room for the part."""
    pair, label = QWidget(), QLabel(text)
    label.setBuddy(part)
    label.setContentsMargins(10, 0, 4, 0)
    label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)  # beside the part
    across = QHBoxLayout(pair)
    across.setContentsMargins(0, 0, 0, 0)
    across.setSpacing(0)
    across.addWidget(label)
    across.addWidget(part)
    return pair
