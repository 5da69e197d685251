"""All files of a report: maps each name to its writer. A new export needs one line here."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from planner.record.result import RunResult
from planner.reports import csv_report
from planner.reports.autoscaler_status import autoscaler_status_csv

REPORTS: Mapping[str, Callable[[RunResult], csv_report.Text]] = MappingProxyType(
    {
        "summary.csv": csv_report.summary_csv,
        "timeseries.csv": csv_report.timeseries_csv,
        "workloads.csv": lambda result: csv_report.table_csv("workloads", result.workloads),
        "node_groups.csv": lambda result: csv_report.table_csv("node_groups", result.node_groups),
        "nodes.csv": lambda result: csv_report.table_csv("nodes", result.nodes),
        "pods.csv": lambda result: csv_report.table_csv("pods", result.pods),
        "decisions.csv": csv_report.decisions_csv,
        "autoscaler_status.csv": autoscaler_status_csv,
        "cost.csv": lambda result: csv_report.table_csv("costs", result.costs),
    }
)
