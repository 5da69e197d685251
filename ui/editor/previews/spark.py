"""A load as a small picture in a cell of the table."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen, QPolygonF

from planner.plan.model.traffic import LoadProfile
from planner.workloads.load_profiles import rates
from ui.editor.previews.profile_times import sample_times, shown_span_us

_POINTS = 80


@lru_cache(maxsize=2_000)
def spark_of(profile: LoadProfile, duration_us: int) -> tuple[float, ...]:
    """Rates over the run as shares of their peak."""
    times = sample_times(profile, shown_span_us(profile, duration_us))
    values: NDArray[np.float64] = np.asarray(rates(profile, times), np.float64)
    parts = [part.max() for part in np.array_split(values, min(_POINTS, len(values)))]  # peaks stay visible
    peak = max(parts, default=0.0)
    return tuple(float(part / peak) if peak > 0 else 0.0 for part in parts)


def paint_spark(painter: QPainter, area: QRectF, values: tuple[float, ...], pen: QPen) -> None:
    """Draw the picture into a cell."""
    if len(values) < 2 or area.width() < 4:
        return
    area = area.adjusted(6, 4, -6, -4)
    step = area.width() / (len(values) - 1)
    line = QPolygonF(
        [QPointF(area.left() + at * step, area.bottom() - v * area.height()) for at, v in enumerate(values)]
    )
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(pen)
    painter.drawPolyline(line)
    painter.restore()
