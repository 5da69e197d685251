"""Help on the thing that has the focus."""

from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from ui.help.context_help import HelpText, explanation_of, show_help_on, spoken

_HELP = HelpText("Minimum", "Fewest replicas.", (("Default", "1"), ("Unit", ""), ("Kubernetes", "spec.minReplicas")))


class _Field(QWidget):
    def __init__(self):
        super().__init__()
        self.line = QLineEdit()
        QVBoxLayout(self).addWidget(self.line)

    def help_text(self):
        return _HELP


def test_help_is_that_of_the_innermost_part_that_can_explain_itself(qtbot):
    field, other = _Field(), QWidget()
    qtbot.addWidget(field)
    qtbot.addWidget(other)
    assert explanation_of(field.line) is _HELP
    assert explanation_of(other) is None and show_help_on(other) is None and show_help_on(None) is None


def test_help_shows_meaning_and_facts_but_no_empty_ones(qtbot):
    field = _Field()
    qtbot.addWidget(field)
    field.show()
    card = show_help_on(field.line)
    texts = [label.text() for label in card.findChildren(QLabel)]
    assert texts == ["Minimum", "Fewest replicas.", "Default", "1", "Kubernetes", "spec.minReplicas"]
    assert card.accessibleDescription() == spoken(_HELP) == "Fewest replicas.\nDefault: 1\nKubernetes: spec.minReplicas"
    card.close()
