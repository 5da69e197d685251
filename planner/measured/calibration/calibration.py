"""All values of a plan that measured series tell, and the plan with them."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from pydantic.alias_generators import to_camel

from planner.measured.calibration.cpu import cpu_fits
from planner.measured.calibration.fit import Fit, NoFit
from planner.measured.calibration.latency import latency_fits
from planner.measured.calibration.memory import memory_fits
from planner.measured.calibration.noise import noise_fits
from planner.measured.calibration.start_up import start_up_fits
from planner.measured.calibration.starting import starting_fits
from planner.measured.measured_cluster import MeasuredCluster
from planner.measured.quantities import Quantity
from planner.plan.edits.edit import replace_at, value_at
from planner.plan.files.places import Path
from planner.plan.model.measured.numbers import MeasuredNumber
from planner.plan.model.plan import Plan
from planner.plan.values.change_text import Item, path_text

_FITS = (cpu_fits, start_up_fits, memory_fits, starting_fits, latency_fits, noise_fits)
_TOLD = (Quantity.REQUESTS, Quantity.CPU, Quantity.MEMORY)
OnFitted = Callable[[int, int], None]
"""Called with the workloads that are done and all of them."""


class Calibration(NamedTuple):
    """What was fitted, and what could not be."""

    fits: tuple[Fit, ...]
    left_out: tuple[NoFit, ...]


def calibrate(plan: Plan, measured: MeasuredCluster, on_fitted: OnFitted | None = None) -> Calibration:
    """Fits of all workloads of which something was measured."""
    fits: list[Fit] = []
    left_out: list[NoFit] = []
    for row, workload in enumerate(plan.workloads):
        if any(measured.course(quantity, workload.name) is not None for quantity in _TOLD):
            for rule in _FITS:
                for found in rule(workload, measured):
                    if isinstance(found, Fit):
                        fits.append(found)
                    else:
                        left_out.append(found)
        if on_fitted is not None:
            on_fitted(row + 1, len(plan.workloads))
    return Calibration(tuple(fits), tuple(left_out))


def path_of(fit: Fit) -> str:
    """Path of the fitted value, as messages spell it."""
    return path_text(("workloads", Item(fit.workload), *map(to_camel, fit.field)))


def with_fits(plan: Plan, fits: Iterable[Fit], measured: MeasuredCluster) -> Plan:
    """The plan with fitted values, which it remembers as measured. Raises PlanProblem."""
    rows = {workload.name: row for row, workload in enumerate(plan.workloads)}
    numbers = {number.path: number for number in plan.measured}
    for fit in fits:
        path: Path = ("workloads", rows[fit.workload], *fit.field)
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
