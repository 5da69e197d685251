"""The sample plans that come with the program."""

from dataclasses import dataclass
from pathlib import Path

from planner.language.translation import tr
from ui.process.folders import scenario_folders

_FIRST = ("flash-sale", "flash-sale-overprovisioned")
"""The two that show best what this is about; the others follow by name."""


@dataclass(frozen=True)
class SamplePlan:
    """A plan of the program, with what its notes say first."""

    name: str
    path: Path
    title: str
    about: str


def samples() -> list[SamplePlan]:
    """All sample plans, in the order of the start page."""
    found = [_sample(folder) for folder in scenario_folders()]
    rank = {name: place for place, name in enumerate(_FIRST)}
    return sorted(found, key=lambda sample: (rank.get(sample.name, len(rank)), sample.name))


def _sample(folder: Path) -> SamplePlan:
    title, about = head_of(folder / "notes.md")
    return SamplePlan(folder.name, folder / "plan.headroom", tr(title) or folder.name, tr(about))


def head_of(notes: Path) -> tuple[str, str]:
    """Heading and first sentence of the notes, without marks of Markdown."""
    try:
        text = notes.read_text(encoding="utf-8")
    except OSError:
        return "", ""
    title, _, rest = text.partition("\n")
    paragraph = " ".join(rest.strip().split("\n\n")[0].split())
    sentence = paragraph.split(". ")[0].rstrip(".")
    return title.lstrip("# ").strip(), f"{sentence}.".replace("*", "").replace("`", "") if sentence else ""
