"""Columns of the wide table that say something of a row and cannot be typed: its load, who scales it, its last run."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from planner.language.translation import tr
from planner.plan.files.places import Path
from planner.plan.model.plan import Plan
from planner.plan.values.money import money_text
from ui.editor.previews.spark import spark_of
from ui.runs.run_data import RunData
from ui.wording.figures import percent_text

_AFTER_FACTS: Path = ("pod", "containers", 0, "limits", "cpu")


@dataclass(frozen=True)
class FactColumn:
    """One column. Its value is a text, or the points of a small picture."""

    key: str
    title: str
    help: str
    value: Callable[[Any, Plan, RunData | None], Any]
    is_number: bool = False
    before: Path = ()
    """The column that it stands in front of; at the end without one."""


def fact_columns(key: str) -> tuple[FactColumn, ...]:
    """Those of a section."""
    if key != "workloads":
        return ()
    found = (
        FactColumn("scaledBy", tr("Scaled by"), tr("The autoscaler that sets its replicas or requests"), _scaled_by),
        FactColumn("load", tr("Load"), tr("Requests per second over the run, each up to its own peak"), _load),
        FactColumn("slo", tr("SLO met"), tr("Share of the time in which its SLO held, in the last run"), _slo, True),
        FactColumn("cost", tr("Cost"), tr("Its share of the cost of the last run"), _cost, True),
    )
    return tuple(replace(one, before=_AFTER_FACTS) for one in found)


def _scaled_by(row: Any, plan: Plan, _run: RunData | None) -> str:
    for hpa in plan.horizontal_pod_autoscalers:
        if hpa.scale_target == row.name and hpa.namespace == row.namespace:
            return f"HPA {hpa.min_replicas}–{hpa.max_replicas}"
    for scaled in plan.scaled_objects:
        if scaled.scale_target == row.name and scaled.namespace == row.namespace:
            return f"KEDA {scaled.min_replicas or 0}–{scaled.max_replicas}"
    for vpa in plan.vertical_pod_autoscalers:
        if vpa.target == row.name and vpa.namespace == row.namespace:
            return f"VPA {vpa.update_mode.value}"
    return ""


def _load(row: Any, plan: Plan, _run: RunData | None) -> Any:
    return spark_of(row.traffic.profile, plan.simulation.duration) if row.traffic is not None else ""


def _slo(row: Any, _plan: Plan, run: RunData | None) -> str:
    figures = run.result.figures if run is not None and run.result is not None else {}
    found = figures.get(f"slo_attainment[{row.name}]")
    return percent_text(found.value) if found is not None else ""


def _cost(row: Any, plan: Plan, run: RunData | None) -> str:
    workloads = run.result.workloads if run is not None and run.result is not None else ()
    found = next((one for one in workloads if one["workload"] == row.name), None)
    return money_text(found["cost_currency"], plan.costs.currency) if found is not None else ""
