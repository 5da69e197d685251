"""Headers of parts of the form."""

from PySide6.QtWidgets import QApplication

from ui.editor.forms.fold import Fold

LONG = "karpenter.k8s.aws/instance-generation"


def test_a_long_title_ends_with_an_ellipsis_instead_of_widening_the_form(qtbot, theme):
    fold = Fold(LONG, theme)
    fold.add_button("remove", "Remove")
    qtbot.addWidget(fold)
    assert fold.minimumSizeHint().width() < fold.fontMetrics().horizontalAdvance(LONG)
    fold.show()
    fold.resize(120, fold.sizeHint().height())
    QApplication.processEvents()
    assert fold.arrow.shown_text() != LONG
    assert fold.arrow.accessibleName() == LONG
    fold.resize(900, fold.sizeHint().height())
    QApplication.processEvents()
    assert fold.arrow.shown_text() == LONG
