"""The colours that every view takes its own from, and the one object that says which set is on."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette

from ui.process.settings import ThemeChoice


@dataclass(frozen=True)
class Theme:
    """One set of colours, each "#rrggbb". Text colours reach a contrast of 4.5 on `panel` and `window`."""

    name: str
    window: str
    """Behind everything."""
    panel: str
    """Cards, tables, plots, inputs."""
    raised: str
    """Table headers, alternate rows, buttons under the pointer."""
    border: str
    text: str
    muted: str
    """Secondary text: labels, axes, units."""
    accent: str
    on_accent: str
    """Text on `accent`."""
    good: str
    bad: str
    warn: str
    grid: str
    selection: str
    """Behind selected rows; `text` stays readable on it."""
    cursor: str
    """The time cursor of the plots."""
    pending: str
    """Pods that wait."""
    series: tuple[str, ...]
    """Told apart by colour-blind readers (hues after Okabe and Ito, lightness set apart); drawn on `panel`."""

    @property
    def is_dark(self) -> bool:
        """Whether the theme has light text on a dark background."""
        return self.name == "dark"

    def series_color(self, index: int) -> str:
        """The colour of the series with this position; begins again after the last."""
        return self.series[index % len(self.series)]

    def pale(self, color: QColor | str, share: float) -> QColor:
        """`share` of a colour, and the rest of the panel."""
        front, back = QColor(color), QColor(self.panel)
        parts = zip(_parts(front), _parts(back), strict=True)
        return QColor(*(round(share * one + (1 - share) * other) for one, other in parts))

    def text_on(self, ground: QColor) -> str:
        """What is read better on this colour: the colour of text, or that of the panel."""
        return max((self.text, self.panel), key=lambda color: _contrast(QColor(color), ground))


def _contrast(one: QColor, other: QColor) -> float:
    """From 1 to 21, as the Web Content Accessibility Guidelines 2.2 define it."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _parts(color: QColor) -> tuple[int, int, int]:
    return color.red(), color.green(), color.blue()


def _luminance(color: QColor) -> float:
    parts = (color.redF(), color.greenF(), color.blueF())
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


LIGHT = Theme(
    name="light",
    window="#f4f6f9",
    panel="#ffffff",
    raised="#f0f3f7",
    border="#d9dfe7",
    text="#1b2029",
    muted="#5a6475",
    accent="#2563d9",
    on_accent="#ffffff",
    good="#107a41",
    bad="#c22f3c",
    warn="#995400",
    grid="#e8ecf1",
    selection="#d6e4ff",
    cursor="#3d4656",
    pending="#c9384a",
    series=("#1074bc", "#db861c", "#16916c", "#be6295", "#39a2dd", "#b74b02", "#908544", "#5f498f"),
)
DARK = Theme(
    name="dark",
    window="#14171c",
    panel="#1b2027",
    raised="#232932",
    border="#323a46",
    text="#e6e9ef",
    muted="#9ca6b6",
    accent="#6c9cff",
    on_accent="#0b1220",
    good="#3fcf8e",
    bad="#ff7a7a",
    warn="#eab04f",
    grid="#272e38",
    selection="#2b4372",
    cursor="#c3cad6",
    pending="#ff7b88",
    series=("#5fabcd", "#e9a107", "#2ad0a2", "#cf84a5", "#98c1ff", "#e4753f", "#e6db4d", "#a38cff"),
)


class ThemeSource(QObject):
    """Says which theme is on. Views read `current` and redraw on `changed`."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._choice: ThemeChoice = "system"
        self._system_is_dark = _palette_is_dark()  # before the window gets a palette of its own
        self._current = self._wanted()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._refresh)

    @property
    def current(self) -> Theme:
        """The colours to draw with now."""
        return self._current

    @property
    def choice(self) -> ThemeChoice:
        """The user's choice."""
        return self._choice

    def choose(self, choice: ThemeChoice) -> None:
        """Follow the system, or stay light or dark."""
        self._choice = choice
        hints = QGuiApplication.styleHints()
        if choice == "system":
            hints.unsetColorScheme()
        else:  # title bars and native dialogs go with the window, where the platform can
            hints.setColorScheme(Qt.ColorScheme.Dark if choice == "dark" else Qt.ColorScheme.Light)
        self._refresh()

    def _refresh(self) -> None:
        wanted = self._wanted()
        if wanted is not self._current:
            self._current = wanted
            self.changed.emit()

    def _wanted(self) -> Theme:
        if self._choice == "system":
            return DARK if self._is_system_dark() else LIGHT
        return DARK if self._choice == "dark" else LIGHT

    def _is_system_dark(self) -> bool:
        scheme = QGuiApplication.styleHints().colorScheme()
        if scheme == Qt.ColorScheme.Unknown:  # a bare X session
            return self._system_is_dark
        return scheme == Qt.ColorScheme.Dark


def _palette_is_dark() -> bool:
    return QGuiApplication.palette().color(QPalette.ColorRole.Window).lightness() < 128
