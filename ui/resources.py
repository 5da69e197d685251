"""Where the files that come with the program are: in the source tree, or inside the packaged one."""

import sys
from pathlib import Path


def program_folder() -> Path:
    """The folder that holds `resources/`, `scenarios/` and `docs/`."""
    packed = getattr(sys, "_MEIPASS", None)  # set by PyInstaller
    return Path(packed) if packed else Path(__file__).resolve().parent.parent


def resource(*parts: str) -> Path:
    """A file below `resources/`."""
    return program_folder().joinpath("resources", *parts)


def docs_folder() -> Path:
    """The pages that Help shows, in Markdown."""
    return program_folder() / "docs"


def scenario_folders() -> list[Path]:
    """The sample plans' folders, by name."""
    return sorted(path.parent for path in program_folder().glob("scenarios/*/plan.headroom"))
