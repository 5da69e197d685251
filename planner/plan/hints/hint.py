"""One hint on a plan."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Hint:
    """Something worth a second look; a run is possible all the same."""

    where: str
    text: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text} {self.remedy}".strip()
