"""Draws the icons of the program and of its plan files in the sizes a desktop asks for.

Usage: python packaging/icons.py FOLDER      writes FOLDER/<size>/<name>.png, FOLDER/<name>.ico and FOLDER/<name>.icns
"""

import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import icon_files
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

PROJECT = Path(__file__).resolve().parent.parent
NAMES = ("headroom", "headroom-plan")
SIZES = (16, 24, 32, 48, 64, 128, 256)


def draw(svg: Path, size: int, target: Path) -> None:
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(str(svg)).render(painter)
    painter.end()
    target.parent.mkdir(parents=True, exist_ok=True)
    if not image.save(str(target)):
        raise SystemExit(f"{target} could not be written.")


def draw_all(folder: Path) -> None:
    application = QGuiApplication.instance() or QGuiApplication(["icons"])
    for name in NAMES:
        for size in SIZES:
            draw(PROJECT / "resources" / "icons" / f"{name}.svg", size, folder / str(size) / f"{name}.png")
        pictures = {size: (folder / str(size) / f"{name}.png").read_bytes() for size in SIZES}
        (folder / f"{name}.ico").write_bytes(icon_files.ico(pictures))
        (folder / f"{name}.icns").write_bytes(icon_files.icns(pictures))
    del application


if __name__ == "__main__":
    draw_all(Path(sys.argv[1]))
