"""Output of a run: CSV files, and the summary as text and as JSON."""

from planner.reports.fit_summary import fit_summary
from planner.reports.folder import write_all
from planner.reports.json_report import result_json
from planner.reports.summary import summary_text

__all__ = ["fit_summary", "result_json", "summary_text", "write_all"]
