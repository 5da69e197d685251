"""Measured quantities in words."""

from typing import NamedTuple

from PySide6.QtCore import QCoreApplication

from planner.measured.measured_cluster import MeasuredCluster, date_text
from planner.measured.quantities import Quantity
from ui.wording.numbers import Unit


class Shown(NamedTuple):
    """How a quantity is shown."""

    title: str
    unit: Unit
    factor: float = 1.0
    """From the measured unit to the shown one."""


def shown(quantity: Quantity) -> Shown:
    """Title and unit of a quantity."""
    known = {
        Quantity.READY: Shown(_tr("Ready pods"), Unit.COUNT),
        Quantity.REPLICAS: Shown(_tr("Desired pods"), Unit.COUNT),
        Quantity.NODES: Shown(_tr("Nodes"), Unit.COUNT),
        Quantity.PENDING: Shown(_tr("Pending pods"), Unit.COUNT),
        Quantity.CPU: Shown(_tr("CPU"), Unit.CORES),
        Quantity.MEMORY: Shown(_tr("Memory"), Unit.BYTES),
        Quantity.LATENCY_P50: Shown(_tr("Latency p50"), Unit.MILLISECONDS, 1000.0),
        Quantity.LATENCY_P95: Shown(_tr("Latency p95"), Unit.MILLISECONDS, 1000.0),
    }
    return known.get(quantity, Shown(str(quantity), Unit.COUNT))


def window_text(measured: MeasuredCluster) -> str:
    """What was measured, from when to when."""
    text = _tr("{source}: {begin} to {end} UTC, {steps} steps of {step} s")
    begin, end = (date_text(at)[:16].replace("T", " ") for at in (measured.start_s, measured.end_s))
    steps = f"{measured.steps:,}"
    return text.format(source=measured.source, begin=begin, end=end, steps=steps, step=measured.step_s)


def _tr(text: str) -> str:
    return QCoreApplication.translate("measured", text)
