"""The tour of the window: opened from the Help menu, and offered once, on the first start."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QToolButton, QWidget

from ui.help.tour_card import TourCard, TourStep
from ui.process.settings import WindowSettings
from ui.start.samples import samples
from ui.theme.theme import ThemeSource
from ui.widgets.message_bar import MessageBar, MessageKind

if TYPE_CHECKING:
    from ui.shell.main_window import MainWindow


@dataclass(frozen=True)
class TourParts:
    """The parts of the window that are shown, in this order."""

    plan: QWidget
    run: QWidget
    plots: QWidget
    decisions: QWidget
    spaces: QWidget


class TourInWindow(QObject):
    """Shows one tour at a time."""

    def __init__(
        self, parts: TourParts, begin: Callable[[], object], settings: WindowSettings, theme: ThemeSource,
        window: QWidget,
    ) -> None:  # fmt: skip
        """`begin` shows a plan with its runs, which the tour is about."""
        super().__init__(window)
        self._parts, self._begin, self._settings, self._theme, self._window = parts, begin, settings, theme, window
        self.card: TourCard | None = None

    def offer_once(self, messages: MessageBar) -> None:
        """On the first start of this user: a message that opens the tour."""
        if self._settings.knows_tour:
            return
        self._settings.knows_tour = True
        text = self.tr("New to Headroom? A tour shows the window in five steps.")
        later = self.tr("It is in the Help menu at any time.")
        messages.show_message(MessageKind.INFO, text, later, [(self.tr("Show the tour"), self.open)], key="tour")

    def open(self) -> None:
        """Begin the tour, or begin it again."""
        if self.card is not None:
            self.card.end()
        self._begin()
        self.card = TourCard(self._steps(), self._theme, self._window)
        self.card.ended.connect(self._forget)
        self.card.show_step(0)

    def _forget(self) -> None:
        self.card = None

    def _steps(self) -> list[TourStep]:
        parts = self._parts
        return [
            TourStep(
                self.tr("The plan"),
                self.tr(
                    "Node pools, workloads, their load and their autoscalers. Click a row and type into it. What is "
                    "wrong is marked at its place with the remedy; Ctrl+Z takes every change back."
                ),
                parts.plan,
            ),
            TourStep(
                self.tr("Run it"),
                self.tr("F5 simulates the plan from its beginning to its end, in seconds. F6 pauses, Esc stops."),
                parts.run,
            ),
            TourStep(
                self.tr("See what happens"),
                self.tr(
                    "All plots have one time. A click puts the cursor there, dragging zooms, a double-click shows the "
                    "whole run. The tab Cluster shows nodes and pods at the cursor."
                ),
                parts.plots,
            ),
            TourStep(
                self.tr("See why"),
                self.tr(
                    "Every decision of the scheduler and the autoscalers, to search and to filter. Choose one, and Why "
                    "shows its computation; Ctrl+Return opens that in a window."
                ),
                parts.decisions,
            ),
            TourStep(
                self.tr("Change, run, compare"),
                self.tr(
                    "Change the plan and run again: key figures and plots show the difference to the run before. F9 "
                    "gives the whole window to the plan; F4 asks questions to many runs, such as how much reserve "
                    "is enough."
                ),
                parts.spaces,
            ),
        ]


def tour_of(window: "MainWindow") -> TourInWindow:
    """The tour of a window whose tool bar and panes are made. From the start page, it is about the first sample."""
    work, run = window.workspace, window.tools.findChild(QToolButton, "primary")
    assert run is not None

    def begin() -> None:
        if window.pages.is_at_start:
            window.files.open_sample(samples()[0].path)
        window.pages.show_plan()
        work.show_view(work.plots)

    parts = TourParts(work.editor, run, work.tabs, work.decisions, window.switch.bar)
    return TourInWindow(parts, begin, window.settings, window.theme, window)
