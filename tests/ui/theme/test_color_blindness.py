"""Colours of workloads and pools stay apart for readers without red, green or blue cones.

Sight is simulated with the matrices of Machado, Oliveira and Fernandes (2009) for the full loss of one kind of cones;
distances are CIEDE2000, where 1 is what a trained eye just sees between two patches side by side.
"""

import itertools

import numpy as np
import pytest
from PySide6.QtGui import QColor

from ui.theme.theme import DARK, LIGHT

SIGHTS = {
    "full sight": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
LEAST_DISTANCE, LEAST_OF_TONES = 8.5, 5.5
_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.119192, 0.9503041]]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])


def lab(color, sight):
    """A colour as it is seen, in CIELAB."""
    shade = QColor(color)
    coded = np.array([shade.redF(), shade.greenF(), shade.blueF()])
    linear = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)
    share = _TO_XYZ @ np.clip(sight @ linear, 0, 1) / _WHITE
    x, y, z = np.where(share > 0.008856, np.cbrt(share), 7.787 * share + 16 / 116)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one, other):
    """CIEDE2000."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    stretch = 1 + 0.5 * (1 - np.sqrt(mean**7 / (mean**7 + 25**7)))
    c1, c2 = np.hypot(a1 * stretch, b1), np.hypot(a2 * stretch, b2)
    h1, h2 = np.degrees(np.arctan2(b1, a1 * stretch)) % 360, np.degrees(np.arctan2(b2, a2 * stretch)) % 360
    turn = (h2 - h1 + 180) % 360 - 180
    light, chroma, hue = (l1 + l2) / 2, (c1 + c2) / 2, (h1 + turn / 2) % 360
    by_hue = 1 - 0.17 * _cos(hue - 30) + 0.24 * _cos(2 * hue) + 0.32 * _cos(3 * hue + 6) - 0.2 * _cos(4 * hue - 63)
    d_light = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2))
    d_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    d_hue = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * chroma * by_hue)
    blue = np.sin(np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2))))
    turned = -2 * np.sqrt(chroma**7 / (chroma**7 + 25**7)) * blue
    return float(np.sqrt(d_light**2 + d_chroma**2 + d_hue**2 + turned * d_chroma * d_hue))


def _cos(degrees):
    return np.cos(np.radians(degrees))


def closest(colors, sight):
    """The two colours that are hardest to tell apart, with their distance."""
    seen = {color: lab(color, SIGHTS[sight]) for color in colors}
    return min((distance(seen[one], seen[two]), one, two) for one, two in itertools.combinations(colors, 2))


def test_distances_are_those_of_the_published_examples():
    """Sharma, Wu and Dalal (2005), pairs 1, 7, 17 and 25."""
    pairs = [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 0, 0), (50, -1, 2), 2.3669),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ]
    for one, other, expected in pairs:
        assert distance(one, other) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("sight", SIGHTS)
def test_no_two_series_look_alike(theme, sight):
    found, one, two = closest(theme.series, sight)
    assert found >= LEAST_DISTANCE, f"{one} and {two}"


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("sight", SIGHTS)
def test_good_bad_and_doubtful_can_be_told_apart_beside_their_signs(theme, sight):
    found, one, two = closest((theme.good, theme.bad, theme.warn), sight)
    assert found >= LEAST_OF_TONES, f"{one} and {two}"
