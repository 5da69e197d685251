"""What the colours of the pods say, and the legend for it."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QColor

from planner.plan.values import money
from planner.record.moment import ClusterMoment
from ui.map.moments.measures import PodMeasures, pod_costs
from ui.theme.theme import Theme
from ui.theme.thing_colors import WORKLOAD_COLORS
from ui.wording.figures import percent_text

Colors = NDArray[np.uint32]
"""As QImage holds them: 0xffRRGGBB."""
_MOST_NAMED = 24
_STEPS = 6
_LIGHT_RAMP = ("#c6dbef", "#6baed6", "#2171b5", "#08306b")
_DARK_RAMP = ("#24405e", "#3f7fb5", "#7db8e8", "#dcecfb")
_MARKETS = ("on-demand", "spot")
_MOST_USE = 1.5
"""Use as a share of the request at which the ramp ends."""


class Coloring(Enum):
    """What colours mean."""

    WORKLOAD = "workload"
    PRIORITY = "priority"
    USE = "use"
    COST = "cost"
    CAPACITY_TYPE = "capacityType"


@dataclass(frozen=True)
class LegendEntry:
    """A line of the legend."""

    color: int
    text: str


@dataclass(frozen=True)
class Colored:
    """A colour per pod of `ClusterMoment.bound`, and what the colours mean."""

    colors: Colors
    legend: tuple[LegendEntry, ...]
    heading: str = ""
    """What the numbers of the legend are."""
    more: int = 0
    """Colours that the legend leaves out."""


def colored(moment: ClusterMoment, coloring: Coloring, numbers: PodMeasures, theme: Theme, currency: str) -> Colored:
    """Colours of the pods on nodes."""
    match coloring:
        case Coloring.WORKLOAD:
            return _by_workload(moment, theme)
        case Coloring.PRIORITY:
            return _by_priority(moment, theme)
        case Coloring.USE:
            share = numbers.used / np.maximum(numbers.requested, 1e-9)
            share = np.where(numbers.requested > 0, share, np.where(numbers.used > 0, _MOST_USE, 0.0))
            heading = QCoreApplication.translate("Map", "Used, of the request:")
            return _by_ramp(share, _MOST_USE, theme, heading, lambda value: percent_text(round(value, 2)))
        case Coloring.CAPACITY_TYPE:
            return _by_capacity_type(moment, theme)
        case Coloring.COST:
            cost = pod_costs(moment)
            most = float(cost.max()) if len(cost) else 0.0
            heading = QCoreApplication.translate("Map", "Cost per hour:")
            return _by_ramp(cost, most or 1.0, theme, heading, lambda value: money.money_text(value, currency))


def rgb(color: str) -> int:
    """A colour as QImage holds it."""
    return QColor(color).rgb()


@lru_cache(maxsize=2)
def workload_palette(names: tuple[str, ...], theme: Theme) -> Colors:
    """Each workload's own colour; the same for all moments of a run."""
    index = WORKLOAD_COLORS.of(names)
    return np.array([rgb(theme.series_color(index[name])) for name in names] or [0], np.uint32)


def _by_workload(moment: ClusterMoment, theme: Theme) -> Colored:
    pods = moment.history.pods
    palette = workload_palette(pods.workloads, theme)
    workload = pods.workload[moment.bound]
    count = np.bincount(workload, minlength=len(pods.workloads))
    most = np.argsort(-count, kind="stable")
    shown = sorted(int(row) for row in most[:_MOST_NAMED] if count[row])
    legend = [LegendEntry(int(palette[row]), f"{pods.workloads[row]} {count[row]}") for row in shown]
    return Colored(palette[workload], tuple(legend), more=int(np.count_nonzero(count)) - len(shown))


def _by_priority(moment: ClusterMoment, theme: Theme) -> Colored:
    priority = moment.history.pods.priority
    values = np.unique(priority)
    ramp = _ramp(theme, max(2, min(len(values), 64)))
    place = np.searchsorted(values, priority[moment.bound])
    colors = ramp[np.minimum(place, len(ramp) - 1)]
    there = np.unique(priority[moment.bound]).tolist()
    words = QCoreApplication.translate("Map", "priority {0:,}")
    shown = there[-_MOST_NAMED:][::-1]
    return Colored(
        colors, tuple(LegendEntry(int(ramp[np.searchsorted(values, one)]), words.format(one)) for one in shown)
    )


def _by_capacity_type(moment: ClusterMoment, theme: Theme) -> Colored:
    """On demand and spot, as Karpenter buys machines; nodes of node groups are in the colour of small print."""
    nodes = moment.history.nodes
    kinds = nodes.capacity_types
    colors = [rgb(theme.series_color(_MARKETS.index(kind)) if kind in _MARKETS else theme.muted) for kind in kinds]
    palette = np.array(colors or [0], np.uint32)
    of_pods = nodes.capacity_type[moment.node_of_bound]
    count = np.bincount(of_pods, minlength=len(kinds))
    node_group = QCoreApplication.translate("Map", "node group")
    legend = [LegendEntry(int(palette[at]), f"{kind or node_group} {count[at]}") for at, kind in enumerate(kinds)]
    return Colored(palette[of_pods], tuple(entry for entry, pods in zip(legend, count, strict=True) if pods))


def _by_ramp(
    values: NDArray[np.float64], most: float, theme: Theme, heading: str, text: Callable[[float], str]
) -> Colored:
    ramp = _ramp(theme, 64)
    place = np.clip(values / most * (len(ramp) - 1), 0, len(ramp) - 1).astype(np.intp)
    marks = np.linspace(0.0, most, _STEPS)
    legend = [LegendEntry(int(ramp[int(mark / most * (len(ramp) - 1))]), text(mark)) for mark in marks]
    return Colored(ramp[place], tuple(legend), heading)


def _ramp(theme: Theme, count: int) -> Colors:
    """From little to much, rising in lightness contrast, so that it can be read without seeing hues."""
    colors = [QColor(color) for color in (_DARK_RAMP if theme.is_dark else _LIGHT_RAMP)]
    stops = np.array([(one.red(), one.green(), one.blue()) for one in colors], np.float64)
    at = np.linspace(0, len(stops) - 1, count)
    red, green, blue = (np.interp(at, np.arange(len(stops)), stops[:, part]).astype(np.uint32) for part in range(3))
    return np.asarray(np.uint32(0xFF000000) | (red << 16) | (green << 8) | blue, np.uint32)
