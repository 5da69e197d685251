"""How a figure of a run is shown: title, help and the direction that is better, in the reader's language."""

from typing import NamedTuple

from PySide6.QtCore import QCoreApplication

_CONTEXT = "summary"


def marked(context: str, text: str) -> str:
    """Marks a text for the translators; `translated` looks it up when it is shown."""
    assert context == _CONTEXT
    return text


def translated(text: str) -> str:
    """A marked text in the reader's language."""
    return QCoreApplication.translate(_CONTEXT, text) if text else ""


class KnownFigure(NamedTuple):
    """How one figure is shown."""

    topic: str
    title: str
    help: str = ""
    more_is_better: bool | None = None
    """None: neither is better."""
    detail: str = ""
    """What distinguishes it from its siblings, such as p95; follows the title."""


def title_of(known: KnownFigure) -> str:
    """In the reader's language."""
    title = translated(known.title)
    if not known.detail:
        return title
    return translated("{title}, {detail}").format(title=title, detail=translated(known.detail))
