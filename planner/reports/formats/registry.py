"""All formats of a report. A new one that needs no screen library is a line here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from planner.errors import ResultFileError
from planner.language.translation import marked, tr
from planner.reports.content.report import RunReport
from planner.reports.formats.markdown import markdown

Writer = Callable[[RunReport], bytes]
PDF = "pdf"
"""Drawn by the window's libraries, which the core does not know."""


@dataclass(frozen=True)
class Format:
    """One way to write a report."""

    title: str
    writer: Writer | None
    """None: given by the caller."""


def _page(report: RunReport) -> bytes:
    from planner.reports.formats.pages import html_page  # late: the window knows the formats long before it writes one

    return html_page(report)


def _workbook(report: RunReport) -> bytes:
    from planner.reports.formats.workbook import workbook

    return workbook(report)


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "html": Format(marked("Web page"), _page),
        PDF: Format(marked("PDF document"), None),
        "xlsx": Format(marked("Workbook"), _workbook),
        "md": Format(marked("Markdown text"), markdown),
    }
)
"""By the ending of their files."""
_ENDINGS = {"htm": "html", "markdown": "md"}


def format_of(path: Path) -> str:
    """The name of the format that the file's ending stands for. Raises ResultFileError."""
    ending = path.suffix.removeprefix(".").lower()
    name = _ENDINGS.get(ending, ending)
    if name not in FORMATS:
        problem = (
            tr("The ending {suffix} is none of a report.", suffix=path.suffix)
            if ending
            else tr("The file's name has no ending.")
        )
        known = ", ".join(f".{one}" for one in FORMATS)
        raise ResultFileError(str(path), problem, tr("Use {known}, or name the format with --format.", known=known))
    return name
