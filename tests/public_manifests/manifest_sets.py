"""The sets of manifests: a folder or file of one commit of a public repository each."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

LIST = Path(__file__).parent / "sets.txt"
ENDINGS = (".yaml", ".yml", ".json")


class ManifestSet(NamedTuple):
    """One line of the list."""

    repository: str
    """Owner and name on the forge."""
    commit: str
    path: str
    """"." is the whole repository."""

    def takes(self, name: str) -> bool:
        """Whether a file of the repository belongs to the set, hidden folders aside."""
        within = self.path == "." or name == self.path or name.startswith(f"{self.path}/")
        return within and name.lower().endswith(ENDINGS) and not any(part.startswith(".") for part in name.split("/"))


def manifest_sets(text: str) -> Iterator[ManifestSet]:
    """The sets of a list, without comments and empty lines."""
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            yield ManifestSet(*line.split())
