"""Puts a theme on the whole program: Fusion, a palette and one style sheet."""

from dataclasses import asdict
from string import Template

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from ui.process.folders import resource
from ui.theme.theme import Theme

_ROLES = {
    QPalette.ColorRole.Window: "window",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "panel",
    QPalette.ColorRole.AlternateBase: "raised",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.Button: "panel",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "bad",
    QPalette.ColorRole.ToolTipBase: "panel",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.PlaceholderText: "muted",
    QPalette.ColorRole.Highlight: "selection",
    QPalette.ColorRole.HighlightedText: "text",
    QPalette.ColorRole.Accent: "accent",
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.LinkVisited: "accent",
    QPalette.ColorRole.Light: "raised",
    QPalette.ColorRole.Midlight: "raised",
    QPalette.ColorRole.Mid: "border",
    QPalette.ColorRole.Dark: "border",
    QPalette.ColorRole.Shadow: "border",
}
_PALE_WHEN_DISABLED = (
    QPalette.ColorRole.WindowText,
    QPalette.ColorRole.Text,
    QPalette.ColorRole.ButtonText,
    QPalette.ColorRole.HighlightedText,
)


def wear(app: QApplication, theme: Theme) -> None:
    """Show the whole program in this theme."""
    wear_colours(app, theme)
    app.setStyleSheet(style_sheet(theme))


def wear_colours(app: QApplication, theme: Theme) -> None:
    """As `wear`, but without the style sheet, which makes it dear to put widgets into each other."""
    if app.style().name() != "fusion":
        app.setStyle("Fusion")
    app.setPalette(palette(theme))


def palette(theme: Theme) -> QPalette:
    """The theme's colours in Qt's roles."""
    result = QPalette()
    for role, name in _ROLES.items():
        result.setColor(role, QColor(getattr(theme, name)))
    for role in _PALE_WHEN_DISABLED:
        result.setColor(QPalette.ColorGroup.Disabled, role, QColor(theme.muted))
    return result


def style_sheet(theme: Theme) -> str:
    """`resources/styles/window.qss` with the theme's colours and drawings."""
    text = Template(resource("styles", "window.qss").read_text(encoding="utf-8"))
    words = {name: value for name, value in asdict(theme).items() if isinstance(value, str)}
    return text.substitute(words, styles=resource("styles").as_posix())
