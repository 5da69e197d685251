"""Folders: those that come with the program (in the source tree or inside the package), and those of the user."""

import contextlib
import stat
import sys
from pathlib import Path

import platformdirs


def program_folder() -> Path:
    """The folder that holds `resources/`, `scenarios/` and `docs/`."""
    packed = getattr(sys, "_MEIPASS", None)  # set by PyInstaller
    return Path(packed) if packed else Path(__file__).resolve().parents[2]


def resource(*parts: str) -> Path:
    """A file below `resources/`."""
    return program_folder().joinpath("resources", *parts)


def docs_folder() -> Path:
    """The pages that Help shows, in Markdown."""
    return program_folder() / "docs"


def guide_page(language: str) -> Path | None:
    """The first page of the guide as it comes with the packaged program; None in a source checkout."""
    page = program_folder() / "site" / "guide" / language / "index.html"
    return page if page.is_file() else None


def scenario_folders() -> list[Path]:
    """The sample plans' folders, by name."""
    return sorted(path.parent for path in program_folder().glob("scenarios/*/plan.headroom"))


def make_private(folder: Path) -> None:
    """Make a folder that only the user may look into. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if stat.S_IMODE(folder.stat().st_mode) & 0o077:
        with contextlib.suppress(OSError):  # another user's
            folder.chmod(0o700)


def instance_key() -> Path:
    """What instances of one user know each other by."""
    return platformdirs.user_data_path("headroom", appauthor=False) / "instance.key"


def run_history_folder() -> Path:
    """Finished runs of earlier sessions."""
    return platformdirs.user_data_path("headroom", appauthor=False) / "runs"


def recovery_folder() -> Path:
    """Copies of plans that are not saved yet."""
    return platformdirs.user_data_path("headroom", appauthor=False) / "recovery"


def log_folder() -> Path:
    """What happened, for reports of faults."""
    return platformdirs.user_log_path("headroom", appauthor=False)
