"""What writes a report as PDF: pages of text around pages of plots, on A4.

Knows no Qt until it is called, and says what to install where Qt cannot be loaded.
"""

import sys

from planner.errors import ResultFileError
from planner.reports.content.report import RunReport
from planner.reports.formats.registry import Writer

_CURE = (
    "Install its system libraries (on Debian: apt-get install libgl1 libegl1 libxkbcommon0 libdbus-1-3 "
    "libfontconfig1 fonts-dejavu-core), or write .html and print that."
)


def pdf_writer() -> Writer:
    """Draws without a screen. Raises ResultFileError where Qt cannot be loaded."""
    try:
        from PySide6.QtGui import QGuiApplication

        from ui.transfer.pdf.drawing import pdf_of
    except ImportError as error:  # a system library of Qt is missing
        raise ResultFileError("PDF", f"Qt cannot be loaded ({error}).", _CURE) from error

    def write(report: RunReport) -> bytes:
        words = ["headroom", "-platform", "offscreen"] if sys.platform == "linux" else ["headroom"]
        application = QGuiApplication.instance() or QGuiApplication(words)
        try:
            return pdf_of(report)
        finally:
            del application  # until here: fonts need it

    return write
