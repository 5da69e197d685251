"""Draws a PDF in a process of its own: Qt would keep the interpreter from the window meanwhile."""

import multiprocessing
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection

from planner.errors import ResultFileError
from ui.transfer.pdf.drawing import PdfParts, pdf_of_parts

_LOOK_S = 0.05


def pdf_of_process(parts: PdfParts, check: Callable[[], object]) -> bytes:
    """The file. `check` is called while it is being made; what it raises ends the process. Raises ResultFileError."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_draw, args=(parts, theirs), name="pdf", daemon=True)
    process.start()
    theirs.close()
    try:
        while not ours.poll(_LOOK_S):
            check()
        return ours.recv_bytes()
    except EOFError as error:
        raise ResultFileError("PDF", "The process that draws it ended early.", "Write .html and print that.") from error
    finally:
        process.terminate()
        process.join()
        ours.close()


def _draw(parts: PdfParts, answer: "Connection[bytes, bytes]") -> None:
    """Runs in the process, without a screen."""
    from PySide6.QtGui import QGuiApplication

    words = ["headroom", "-platform", "offscreen"] if sys.platform == "linux" else ["headroom"]
    application = QGuiApplication(words)
    answer.send_bytes(pdf_of_parts(parts))
    del application  # until here: fonts need it
