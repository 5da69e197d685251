"""Shows a story; a click on a time moves the cursor, one on an event opens its decision."""

from html import escape

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QTextBrowser, QWidget

from planner.units import US_PER_S
from ui.stories.story import Story, StoryLine
from ui.theme.theme import Theme, ThemeSource
from ui.wording.numbers import clock_text


class StoryView(QTextBrowser):
    """One story as text that can be selected and copied."""

    decision_chosen = Signal(object)
    time_chosen = Signal(float)

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._story: Story | None = None
        self._now_us = 0
        self.setOpenLinks(False)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTabChangesFocus(True)
        self.setAccessibleName(self.tr("Story"))
        self.document().setDocumentMargin(10)
        self.anchorClicked.connect(self._follow_link)
        theme.changed.connect(self._show)
        self._show()

    @property
    def story(self) -> Story | None:
        """What is shown."""
        return self._story

    def show_story(self, story: Story | None, now_us: int) -> None:
        """Another story; what is later than now is pale."""
        if (story, now_us) != (self._story, self._now_us):
            is_other = story is None or self._story is None or story.title != self._story.title
            place = 0 if is_other else self.verticalScrollBar().value()
            self._story, self._now_us = story, now_us
            self._show()
            self.verticalScrollBar().setValue(place)

    def _show(self) -> None:
        theme = self._theme.current
        if self._story is None:
            hint = self.tr("Click a node or a pod, or go to one with the arrow keys, to read what happened to it.")
            self.setHtml(f'<p style="color:{theme.muted}">{escape(hint)}</p>')
            return
        rows = "".join(_row(number, line, self._now_us, theme) for number, line in enumerate(self._story.lines))
        self.setHtml(
            f'<p style="margin:0"><b>{escape(self._story.title)}</b></p>'
            f'<p style="margin:2px 0 6px 0; color:{theme.muted}">{escape(self._story.facts)}</p>'
            f'<table cellspacing="0" cellpadding="3">{rows}</table>'
        )

    def _follow_link(self, link: QUrl) -> None:
        kind, _, number = link.toString().partition(":")
        if self._story is None:
            return
        line = self._story.lines[int(number)]
        if kind == "decision" and line.decision is not None:
            self.decision_chosen.emit(line.decision)
        else:
            self.time_chosen.emit(max(0, line.time_us) / US_PER_S)


def _row(number: int, line: StoryLine, now_us: int, theme: Theme) -> str:
    is_past = line.time_us <= now_us
    color = theme.text if is_past else theme.muted
    time = clock_text(max(0, line.time_us) / US_PER_S)
    what = escape(line.what)
    if line.decision is not None:
        what = f'<a href="decision:{number}" style="color:{theme.accent if is_past else theme.muted}">{what}</a>'
    why = f'<br><span style="color:{theme.muted}">{escape(line.why)}</span>' if line.why else ""
    return (
        f'<tr><td><a href="time:{number}" style="color:{theme.muted}; text-decoration:none">{time}</a></td>'
        f'<td style="color:{color}">{what}{why}</td></tr>'
    )
