"""The speeds of the slider: 1, 2, 5, 10 ... times real time, and as fast as it goes."""

from PySide6.QtCore import QCoreApplication, QLocale

SPEEDS: tuple[float | None, ...] = (
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, None,
)  # fmt: skip
"""Simulated seconds per wall second, in the order of the slider; None is as fast as it goes."""


def speed_text(factor: float | None) -> str:
    """For example "×60", or "max"."""
    if factor is None:
        return QCoreApplication.translate("Speed", "max")
    return QCoreApplication.translate("Speed", "×{factor}").format(factor=QLocale().toString(int(factor)))


def nearest_speed(factor: float | None) -> int:
    """The slider's position of the speed that comes closest."""
    if factor is None:
        return len(SPEEDS) - 1
    known = [speed for speed in SPEEDS if speed is not None]
    return min(range(len(known)), key=lambda row: abs(known[row] - factor) / known[row])
