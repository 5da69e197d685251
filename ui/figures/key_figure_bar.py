"""The row of key figures across the top of the window."""

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from planner.api import Plan
from planner.units import US_PER_S
from ui.figures.card import CardReadings, FigureCard
from ui.figures.card_widget import CardWidget
from ui.figures.cards import CARDS
from ui.figures.known_readings import KnownReadings
from ui.figures.readings import Readings
from ui.runs.calm import Calm
from ui.runs.run_data import RunData
from ui.runs.session import RunSession
from ui.runs.time_cursor import TimeCursor
from ui.theme.theme import ThemeSource
from ui.wording.figures import NOTHING

_LIVE_MS, _CURSOR_MS = 500, 80
"""Minimum interval between updates while the cursor moves, and while a run is in progress: more than there is between
its messages, so that cards are not drawn together with the plots.
"""


class KeyFigureBar(QWidget):
    """Cards of the current run with the differences to the baseline."""

    def __init__(
        self, session: RunSession, cursor: TimeCursor, theme: ThemeSource, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._cursor, self._theme = session, cursor, theme
        self._run: RunData | None = None
        self._nothing = RunData(0, "", Plan(), 0, self)
        self._of_run = self._of_baseline = KnownReadings(self._nothing)
        self._cards = [CardWidget(theme.current) for _ in CARDS]
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        for card in self._cards:
            layout.addWidget(card, 1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Key figures"))
        self._calm = Calm(self._show, _LIVE_MS, self)
        session.current_changed.connect(self._follow)
        session.baseline_changed.connect(self._follow_baseline)
        self._calm_cursor = Calm(self._show, _CURSOR_MS, self)
        cursor.moved.connect(self._calm_cursor.soon)
        theme.changed.connect(self._paint)
        self._follow()

    @property
    def cards(self) -> list[CardWidget]:
        """The cards from left to right."""
        return self._cards

    def _follow(self) -> None:
        if self._run is not None:
            self._run.appended.disconnect(self._calm.soon)
            self._run.state_changed.disconnect(self._calm.now)
        self._run = self._session.current
        if self._run is not None:
            self._run.appended.connect(self._calm.soon)
            self._run.state_changed.connect(self._calm.now)
        self._of_run = KnownReadings(self._run or self._nothing)
        self._show()

    def _follow_baseline(self) -> None:
        self._of_baseline = KnownReadings(self._session.baseline or self._nothing)
        self._show()

    def _show(self) -> None:
        view = self._view()
        for make, widget in zip(CARDS, self._cards, strict=True):
            card = make(view)
            widget.show_card(
                card if self._run is not None else FigureCard(card.title, NOTHING, help=card.help, formula=card.formula)
            )
            widget.show_change(view.baseline is not None)

    def _view(self) -> CardReadings:
        run, baseline = self._session.current, self._session.baseline
        if run is None:
            nothing = Readings(self._nothing, 0.0)
            return CardReadings(nothing, nothing, None, None, is_summary=False)
        end_s = run.done_us / US_PER_S if run.state.is_live else None
        moment_s = self._cursor.time_s if self._cursor.time_s is not None else end_s
        other = baseline if baseline is not run else None
        is_short = other is not None and run.done_us < min(run.until_us, other.done_us)
        reached_s = run.done_us / US_PER_S if is_short else end_s
        other_s = moment_s if moment_s is not None else reached_s
        return CardReadings(
            self._of_run.at(moment_s, end_s),
            self._of_run.up_to(end_s),
            self._of_baseline.at(other_s, reached_s) if other is not None else None,
            self._of_baseline.up_to(reached_s) if other is not None else None,
            is_summary=moment_s is None,
            has_cursor=self._cursor.time_s is not None,
        )

    def _paint(self) -> None:
        for card in self._cards:
            card.choose_theme(self._theme.current)
