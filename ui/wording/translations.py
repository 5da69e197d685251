"""Translatable text from tables rather than widgets.

`pyside6-lupdate` finds it with `-tr-function-alias QT_TRANSLATE_NOOP+=marked`.
"""

from PySide6.QtCore import QCoreApplication

_CONTEXT = "plots"


def marked(context: str, text: str) -> str:
    """Marks a text for the translators; `translated` looks it up when it is shown."""
    assert context == _CONTEXT
    return text


def translated(text: str) -> str:
    """A marked text in the reader's language."""
    return QCoreApplication.translate(_CONTEXT, text) if text else ""
