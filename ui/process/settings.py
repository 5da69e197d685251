"""What the window remembers from one start to the next. The plan itself is never kept here."""

from pathlib import Path
from typing import Literal, cast, get_args

from PySide6.QtCore import QByteArray, QObject, QSettings, Signal

ThemeChoice = Literal["system", "light", "dark"]
MOST_RECENT = 10


class WindowSettings(QObject):
    """Window geometry, theme, recent files and folders, in the user's settings file."""

    recent_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        scope = QSettings.Scope.UserScope
        self._store = QSettings(QSettings.Format.IniFormat, scope, "headroom", "headroom", self)

    @property
    def theme(self) -> ThemeChoice:
        """The chosen theme; the system's if none was chosen."""
        value = str(self._store.value("window/theme", "system"))
        return cast(ThemeChoice, value) if value in get_args(ThemeChoice) else "system"

    @theme.setter
    def theme(self, choice: ThemeChoice) -> None:
        self._store.setValue("window/theme", choice)

    @property
    def language(self) -> str:
        """The code of the chosen language; empty for that of the system."""
        return str(self._store.value("window/language", ""))

    @language.setter
    def language(self, code: str) -> None:
        self._store.setValue("window/language", code)

    @property
    def knows_tour(self) -> bool:
        """Whether the tour of the window has been offered."""
        return bool(self._store.value("window/knowsTour", False, type=bool))

    @knows_tour.setter
    def knows_tour(self, known: bool) -> None:
        self._store.setValue("window/knowsTour", known)

    def layout(self, name: str) -> QByteArray | None:
        """The kept state of a window or splitter, None if it is not known."""
        value = self._store.value(f"layout/{name}")
        return value if isinstance(value, QByteArray) else None

    def keep_layout(self, name: str, state: QByteArray) -> None:
        """Remember the state of a window or splitter."""
        self._store.setValue(f"layout/{name}", state)

    def forget_layout(self) -> None:
        """Back to the layout of the first start."""
        self._store.remove("layout")

    @property
    def recent(self) -> tuple[Path, ...]:
        """Plan files opened or saved lately, the newest first. They may be gone by now."""
        value = self._store.value("files/recent")
        names = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        return tuple(Path(name) for name in names if isinstance(name, str) and name)[:MOST_RECENT]

    def add_recent(self, path: Path) -> None:
        """Put a file at the head of the recent ones."""
        self._keep_recent((path, *(known for known in self.recent if known != path)))

    def drop_recent(self, path: Path) -> None:
        """Take a file that is gone out of the recent ones."""
        self._keep_recent(tuple(known for known in self.recent if known != path))

    def clear_recent(self) -> None:
        """Forget all recent files."""
        self._keep_recent(())

    def folder(self, purpose: str) -> Path:
        """The initial folder of a file dialog: the folder used last for this purpose, else the user's home."""
        kept = self._store.value(f"folders/{purpose}")
        folder = Path(kept) if isinstance(kept, str) and kept else Path.home()
        return folder if folder.is_dir() else Path.home()

    def keep_folder(self, purpose: str, folder: Path) -> None:
        """Remember the folder a file dialog ended in."""
        self._store.setValue(f"folders/{purpose}", str(folder))

    def text(self, name: str) -> str:
        """What was typed last for a purpose; empty if nothing was."""
        value = self._store.value(f"typed/{name}")
        return " ".join(value) if isinstance(value, list) else value if isinstance(value, str) else ""

    def keep_text(self, name: str, text: str) -> None:
        """Remember what was typed for a purpose."""
        self._store.setValue(f"typed/{name}", text)

    def names(self, purpose: str) -> list[str]:
        """Names that were kept for a purpose."""
        value = self._store.value(f"names/{purpose}")
        return value if isinstance(value, list) else [value] if isinstance(value, str) and value else []

    def keep_names(self, purpose: str, names: list[str]) -> None:
        """Remember names for a purpose, in place of those kept before."""
        self._store.setValue(f"names/{purpose}", sorted(names))

    def sync(self) -> None:
        """Write what is not written yet."""
        self._store.sync()

    def _keep_recent(self, paths: tuple[Path, ...]) -> None:
        self._store.setValue("files/recent", [str(path) for path in paths[:MOST_RECENT]])
        self.recent_changed.emit()
