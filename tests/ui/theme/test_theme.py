"""Colours are readable, and switching themes is signalled."""

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QPushButton, QTextBrowser

from ui.theme.style import style_sheet
from ui.theme.theme import DARK, LIGHT, ThemeSource


def luminance(color):
    def linear(part):
        return part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4

    shade = QColor(color)
    red, green, blue = (linear(part) for part in (shade.redF(), shade.greenF(), shade.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("name", ["text", "muted", "good", "bad", "warn", "accent", "pending"])
def test_text_has_enough_contrast(theme, name):
    for ground in (theme.panel, theme.window, theme.raised):
        assert contrast(getattr(theme, name), ground) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_text_on_colour_has_enough_contrast(theme):
    assert contrast(theme.on_accent, theme.accent) >= 4.5
    assert contrast(theme.text, theme.selection) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("ground", ["#000000", "#404040", "#707070", "#777777", "#a0a0a0", "#ffffff", "#2f6f8f"])
def test_text_on_any_colour_is_the_one_that_is_read_better(theme, ground):
    chosen = theme.text_on(QColor(ground))
    assert contrast(chosen, ground) == max(contrast(color, ground) for color in (theme.text, theme.panel))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_series_stand_out_from_the_panel(theme):
    assert min(contrast(color, theme.panel) for color in theme.series) >= 2.4
    assert len(set(theme.series)) == len(theme.series)
    assert theme.series_color(len(theme.series)) == theme.series[0]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize(("is_enabled", "ground"), [(True, "accent"), (False, "window")])
def test_a_disabled_default_button_does_not_look_as_if_it_could_be_pressed(qtbot, theme, is_enabled, ground):
    button = QPushButton()
    qtbot.addWidget(button)
    button.setStyleSheet(style_sheet(theme))
    button.setDefault(True)
    button.setEnabled(is_enabled)
    shown = button.grab().toImage()
    assert shown.pixelColor(shown.rect().center()) == QColor(getattr(theme, ground))


def test_a_choice_is_signalled_once(qapp, qtbot):
    source = ThemeSource()
    source.choose("light")
    with qtbot.waitSignal(source.changed):
        source.choose("dark")
    assert source.current is DARK
    with qtbot.assertNotEmitted(source.changed):
        source.choose("dark")
    source.choose("light")


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_the_corner_between_two_scroll_bars_is_empty(qtbot, theme):
    area = QTextBrowser()
    qtbot.addWidget(area)
    area.setLineWrapMode(QTextBrowser.LineWrapMode.NoWrap)
    area.setPlainText("\n".join(["x" * 200] * 200))
    area.setStyleSheet(style_sheet(theme))
    area.resize(200, 200)
    area.show()
    picture = area.grab().toImage()
    colors = {picture.pixelColor(x, y).name() for x in range(184, 196) for y in range(184, 196)}
    assert len(colors) == 1
