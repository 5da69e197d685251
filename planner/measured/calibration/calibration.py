"""All values of a plan that measured series tell, and the plan with them."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from pydantic.alias_generators import to_camel

from planner.measured.calibration.booting import booting_fits
from planner.measured.calibration.calls import call_fits
from planner.measured.calibration.cpu import cpu_fits
from planner.measured.calibration.fit import Fit, NoFit
from planner.measured.calibration.latency import latency_fits
from planner.measured.calibration.memory import memory_fits
from planner.measured.calibration.noise import noise_fits
from planner.measured.calibration.retries import retry_fits
from planner.measured.calibration.start_up import start_up_fits
from planner.measured.calibration.starting import starting_fits
from planner.measured.measured_cluster import MeasuredCluster
from planner.measured.quantities import Quantity
from planner.plan.edits.edit import replace_at, value_at
from planner.plan.files.places import Path
from planner.plan.model.measured.numbers import MeasuredNumber
from planner.plan.model.plan import Plan
from planner.plan.values.change_text import Item, path_text

_FITS = (cpu_fits, start_up_fits, memory_fits, starting_fits, latency_fits, retry_fits, noise_fits)
_TOLD = (Quantity.REQUESTS, Quantity.CPU, Quantity.MEMORY)
OnFitted = Callable[[int, int], None]
"""Called with the workloads that are done and all of them."""


class Calibration(NamedTuple):
    """What was fitted, and what could not be."""

    fits: tuple[Fit, ...]
    left_out: tuple[NoFit, ...]


def calibrate(plan: Plan, measured: MeasuredCluster, on_fitted: OnFitted | None = None) -> Calibration:
    """Fits of all workloads and pools of which something was measured."""
    found: list[Fit | NoFit] = []
    for row, workload in enumerate(plan.workloads):
        if any(measured.course(quantity, workload.name) is not None for quantity in _TOLD):
            for rule in _FITS:
                found.extend(rule(workload, measured))
            found.extend(call_fits(plan, workload, measured))
        if on_fitted is not None:
            on_fitted(row + 1, len(plan.workloads))
    for pool in plan.node_groups:
        found.extend(booting_fits(pool, measured))
    fits = tuple(one for one in found if isinstance(one, Fit))
    return Calibration(fits, tuple(one for one in found if isinstance(one, NoFit)))


def path_of(fit: Fit) -> str:
    """Path of the fitted value, as messages spell it."""
    steps = (Item(str(step)) if isinstance(step, int) else to_camel(step) for step in fit.field)
    return path_text((to_camel(fit.section), Item(fit.name), *steps))


def is_in(plan: Plan, fit: Fit) -> bool:
    """Whether the plan still has the workload or pool."""
    return any(one.name == fit.name for one in getattr(plan, fit.section))


def with_fits(plan: Plan, fits: Iterable[Fit], measured: MeasuredCluster) -> Plan:
    """The plan with fitted values, which it remembers as measured. Raises PlanProblem."""
    rows = {
        (section, one.name): row
        for section in ("workloads", "node_groups")
        for row, one in enumerate(getattr(plan, section))
    }
    numbers = {number.path: number for number in plan.measured}
    for fit in fits:
        path: Path = (fit.section, rows[fit.section, fit.name], *fit.field)
        plan = _with_value(plan, path, fit.spelling.to_value(fit.estimate.value))
        numbers[path_of(fit)] = _number(fit, measured)
    return replace_at(plan, ("measured",), tuple(numbers.values()))


def _with_value(plan: Plan, path: Path, value: float) -> Plan:
    if value_at(plan, path[:-1]) is None:
        return replace_at(plan, path[:-1], {path[-1]: value})
    return replace_at(plan, path, value)


def _number(fit: Fit, measured: MeasuredCluster) -> MeasuredNumber:
    estimate, text = fit.estimate, fit.spelling.to_text
    return MeasuredNumber(
        path=path_of(fit),
        value=text(estimate.value),
        low=text(estimate.low),
        high=text(estimate.high),
        samples=estimate.samples,
        residual=float(f"{estimate.residual:.3g}"),
        source=measured.source[:500],
        window=measured.window,
    )
