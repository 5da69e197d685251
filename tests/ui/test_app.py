"""What the process does around the window."""

import shiboken6
from PySide6.QtCore import QMimeData

from ui.app import release_clipboard


def test_copied_rows_stay_as_text_when_the_process_ends(qapp):
    data = QMimeData()
    data.setText("Name\tMaximum\nbig\t3\n")
    data.setData("application/x-rows", b"{}")
    qapp.clipboard().setMimeData(data)
    release_clipboard(qapp)
    left = qapp.clipboard().mimeData()
    assert not shiboken6.createdByPython(left)
    assert left.text() == "Name\tMaximum\nbig\t3\n"


def test_what_another_program_copied_is_left_alone(qapp):
    qapp.clipboard().setText("elsewhere")
    before = qapp.clipboard().mimeData()
    release_clipboard(qapp)
    assert qapp.clipboard().mimeData() is before
