"""The language of the window: Qt looks texts up where the core does, so that each has one translation."""

from PySide6.QtCore import QLibraryInfo, QTranslator
from PySide6.QtWidgets import QApplication

from planner.language.translation import ENGLISH, language, tr, use_language

_KEYS = "QShortcut"
_INSTALLED: list[QTranslator] = []


class _SharedTranslations(QTranslator):
    """Answers what widgets ask with `self.tr`; the context is of no matter."""

    def translate(self, context: str, text: str, disambiguation: str | None = None, n: int = -1) -> str | None:
        if context == _KEYS:
            return text  # as they are printed on keyboards; Qt's own Korean says "move" for Shift
        found = tr(text) if text else ""
        return found if found != text else None  # none of ours: Qt asks its own

    def isEmpty(self) -> bool:
        return False


def speak(app: QApplication, code: str) -> None:
    """Write texts in this language from now on; what is shown already stays as it is."""
    while _INSTALLED:
        app.removeTranslator(_INSTALLED.pop())
    use_language(code)
    if language() == ENGLISH:
        return
    own, of_qt = _SharedTranslations(app), QTranslator(app)
    if of_qt.load(f"qtbase_{language()}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        _INSTALLED.append(of_qt)
    _INSTALLED.append(own)
    for translator in _INSTALLED:
        app.installTranslator(translator)
