"""A window with the pages of `docs/`: contents at the left, the page, and a search within it."""

from pathlib import Path, PurePosixPath

from PySide6.QtCore import QSignalBlocker, Qt, QUrl
from PySide6.QtGui import (
    QAction,
    QColor,
    QDesktopServices,
    QKeySequence,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QTabBar,
    QTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from planner.language.translation import language
from ui.help.page_view import PageView
from ui.help.rendering import headings, render
from ui.process.folders import docs_folder
from ui.theme.theme import ThemeSource

PAGES = ("accuracy.md", "model.md", "rules/README.md")
"""One tab each; the last one leads to the pages of its folder."""
_GUIDE = "guide/{language}/index.md"
"""Leads to the pages of its folder; has a tab where it is no site for the browser, which is in a source checkout."""
_SIZE_PX = (980, 720)
_CONTENTS_PX = 250
_Flags = QTextDocument.FindFlag


class DocWindow(QWidget):
    """Shows one page at a time; stays open beside the main window."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._theme = theme
        self._page = ""
        self._shown: Path | None = None
        self.pages = (*PAGES, *guide_pages())
        self.tabs, self.contents, self.page = QTabBar(), QListWidget(), PageView()
        self.search, self.count = QLineEdit(), QLabel()
        self._compose()
        self._add_actions()
        theme.changed.connect(self._render)

    def _compose(self) -> None:
        self.setWindowTitle(self.tr("Headroom help"))
        self.resize(*_SIZE_PX)
        titles = (self.tr("Accuracy"), self.tr("The model"), self.tr("Rules"), self.tr("User guide"))
        for title in titles[: len(self.pages)]:
            self.tabs.addTab(title)
        self.tabs.setAccessibleName(self.tr("Pages"))
        self.tabs.currentChanged.connect(lambda place: self.show_page(self.pages[place]))
        self.tabs.tabBarClicked.connect(lambda place: self.show_page(self.pages[place]) if place >= 0 else None)
        self.contents.setAccessibleName(self.tr("Contents of the page"))
        self.contents.setStyleSheet("QListWidget { padding: 5px; } QListWidget::item { padding: 4px 5px; }")
        self.contents.currentItemChanged.connect(self._go_to)
        self.page.anchorClicked.connect(self._follow)
        self.page.setAccessibleName(self.tr("Page"))
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.addWidget(self.contents)
        splitter.addWidget(self.page)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([_CONTENTS_PX, _SIZE_PX[0] - _CONTENTS_PX])
        down = QVBoxLayout(self)
        down.setContentsMargins(10, 8, 10, 10)
        down.addLayout(self._head())
        down.addWidget(splitter, 1)

    def _head(self) -> QHBoxLayout:
        self.search.setPlaceholderText(self.tr("Find in page (Ctrl+F)"))
        self.search.setAccessibleName(self.tr("Find in page"))
        self.search.setClearButtonEnabled(True)
        self.search.setFixedWidth(230)
        self.search.textChanged.connect(lambda: self.find_text(from_start=True))
        self.search.returnPressed.connect(lambda: self.find_text())
        self.count.setProperty("muted", True)
        head = QHBoxLayout()
        head.addWidget(self.tabs)
        head.addStretch(1)
        head.addWidget(self.count)
        head.addWidget(self.search)
        for text, tip, step in (
            ("‹", self.tr("Find previous (Shift+F3)"), lambda: self.find_text(back=True)),
            ("›", self.tr("Find next (F3)"), self.find_text),
        ):
            button = QToolButton()
            button.setText(text)
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            button.clicked.connect(lambda _=False, step=step: step())
            head.addWidget(button)
        return head

    def _add_actions(self) -> None:
        keys = QKeySequence.StandardKey
        for key, act in (
            (keys.Find, self._focus_search),
            (keys.FindNext, self.find_text),
            (keys.FindPrevious, lambda: self.find_text(back=True)),
            (keys.Close, self.close),
            (keys.Cancel, self._leave),
        ):
            action = QAction(self)
            action.setShortcuts(QKeySequence.keyBindings(key))
            action.triggered.connect(lambda _=False, act=act: act())
            self.addAction(action)

    # -- pages ----------------------------------------------------------------------------------------

    def show_page(self, name: str) -> None:
        """Show a page of `docs/` and come to the front."""
        if name != self._page:
            self._page = name
            self._choose_tab(name)
            self._render()
            self.page.verticalScrollBar().setValue(0)
        self.show()
        self.raise_()
        self.activateWindow()

    def _choose_tab(self, name: str) -> None:
        """The tab of a page, or of the page that leads to its folder."""
        folder = PurePosixPath(name).parent
        tabs = [page for page in self.pages if page == name or (folder.name and PurePosixPath(page).parent == folder)]
        if tabs:
            with QSignalBlocker(self.tabs):  # the page is chosen already
                self.tabs.setCurrentIndex(self.pages.index(tabs[0]))

    def _render(self) -> None:
        if not self._page:
            return
        bar, path = self.page.verticalScrollBar(), docs_folder() / self._page
        place = bar.value()
        self.page.look_in(path.parent)
        render(self.page.document(), _text_of(path), self._theme.current, self.font())
        self.page.moveCursor(QTextCursor.MoveOperation.Start)  # left at the end, it would be scrolled into view
        bar.setValue(place)
        with QSignalBlocker(self.contents):  # the headings that go belong to another page
            self.contents.clear()
            for level, title, position in headings(self.page.document()):
                item = QListWidgetItem(f"{'    ' * (level - 2)}{title}")
                item.setData(Qt.ItemDataRole.UserRole, position)
                self.contents.addItem(item)
        self._mark_all()

    def _go_to(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            cursor = QTextCursor(self.page.document())
            cursor.setPosition(item.data(Qt.ItemDataRole.UserRole))
            bar = self.page.verticalScrollBar()
            bar.setValue(bar.value() + self.page.cursorRect(cursor).top() - 8)

    def _follow(self, link: QUrl) -> None:
        """Pages of ours open here, all else where the desktop opens it."""
        if link.scheme():
            QDesktopServices.openUrl(link)
        elif link.path():
            target = (docs_folder() / self._page).parent / link.path()
            if target.suffix == ".md" and target.is_file():
                self.show_page(target.resolve().relative_to(docs_folder().resolve()).as_posix())
        else:
            self.page.scrollToAnchor(link.fragment())

    # -- search ---------------------------------------------------------------------------------------

    def find_text(self, *, back: bool = False, from_start: bool = False) -> None:
        """Select the next match, wrapping around at the end."""
        text, document = self.search.text(), self.page.document()
        self._mark_all()
        start = QTextCursor(document) if from_start else self.page.textCursor()
        flags = _Flags.FindBackward if back else _Flags(0)
        found = document.find(text, start, flags) if text else QTextCursor()
        if found.isNull() and text:
            edge = QTextCursor(document)
            edge.movePosition(QTextCursor.MoveOperation.End if back else QTextCursor.MoveOperation.Start)
            found = document.find(text, edge, flags)
        if not found.isNull():
            self.page.setTextCursor(found)
            self.page.ensureCursorVisible()

    def _mark_all(self) -> None:
        """Highlight every match, and count them."""
        text, document = self.search.text(), self.page.document()
        marks, cursor = [], QTextCursor(document)
        ground = QTextCharFormat()
        ground.setBackground(QColor(self._theme.current.selection))
        while text and not (cursor := document.find(text, cursor)).isNull():
            mark = QTextEdit.ExtraSelection()
            mark.cursor, mark.format = cursor, ground
            marks.append(mark)
        self.page.setExtraSelections(marks)
        self.count.setText(self.tr("{count} found").format(count=len(marks)) if text else "")

    def _focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _leave(self) -> None:
        """Esc empties the search first, then closes."""
        if self.search.text():
            self.search.clear()
        else:
            self.close()


def guide_pages() -> tuple[str, ...]:
    """The first page of the guide in the language of the window, where it is there."""
    page = _GUIDE.format(language=language())
    return (page,) if (docs_folder() / page).is_file() else ()


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        return f"# {path.name}\n\n{error.strerror}: {path}"
