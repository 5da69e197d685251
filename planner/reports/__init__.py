"""What leaves the program after a run: CSV files, the summary and its JSON twin."""

from planner.reports.fit_summary import fit_summary
from planner.reports.folder import write_all
from planner.reports.json_report import result_json
from planner.reports.summary import summary_text

__all__ = ["fit_summary", "result_json", "summary_text", "write_all"]
