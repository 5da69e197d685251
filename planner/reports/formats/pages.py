"""The report as one HTML file, which needs no network and no script; and the same for print."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from planner import __version__
from planner.language.translation import language, tr
from planner.reports.content.report import News, RunReport
from planner.reports.formats.svg import DARK_PALETTE, PALETTE, svg

_TEMPLATES = Path(__file__).resolve().parents[3] / "resources" / "report"
_MARKS = {News.GOOD: "✓", News.BAD: "✗", News.NEUTRAL: ""}


def html_page(report: RunReport) -> bytes:
    """One self-contained file, light or dark as the reader's system."""
    every = (Markup(text) for text in drawings(report))
    plots = [(plot, next(every)) for plot in report.plots]
    sections = [(section, [(plot, next(every)) for plot in section.plots]) for section in report.sections]
    colours = {"palette": PALETTE, "dark_palette": DARK_PALETTE}
    return _rendered("report.html", report, plots=plots, sections=sections, **colours).encode()


def print_parts(report: RunReport) -> tuple[str, str]:
    """Plain HTML for printing: what comes before the plots (`drawings`), and what comes after them."""
    return _rendered("print.html", report, part="front"), _rendered("print.html", report, part="back")


def drawings(report: RunReport) -> list[str]:
    """Every plot as SVG, in order."""
    return [svg(plot, seconds, number) for number, (plot, seconds) in enumerate(report.every_plot())]


def _rendered(name: str, report: RunReport, **values: object) -> str:
    return (
        _environment()
        .get_template(name)
        .render(report=report, marks=_MARKS, version=__version__, tr=tr, language=language(), **values)
    )


@cache
def _environment() -> Environment:
    """Everything that comes from the plan is escaped."""
    return Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
