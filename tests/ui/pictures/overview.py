"""The pictures of docs/screenshots: python -m tests.ui.pictures.overview LANGUAGE SCALE DOCUMENTS."""

import sys
from pathlib import Path

from planner.record.decisions import Actor, Verdict
from tests.ui.pictures.stage import Stage

SAMPLES = ("flash-sale", "flash-sale-overprovisioned")
"""The flash sale without and with a reserve of pause pods."""
USUAL, SMALL = (1600, 1000), (1280, 800)


def compare_two_runs(stage: Stage) -> None:
    for name in SAMPLES:
        stage.open(name)
        stage.run()


def choose_scale_up(stage: Stage) -> None:
    """The last one: the load has grown, and the reserve is being filled again."""
    stage.choose(stage.decisions(Actor.SCALE_UP, Verdict.TRIGGERED)[-1])


def main(language: str, scale: str, documents: Path) -> None:
    stage = Stage(language, documents / "screenshots", *(USUAL if scale == "1" else SMALL))
    compare_two_runs(stage)
    choose_scale_up(stage)
    if scale != "1":
        stage.keep("scale-200")
    elif language != "en":
        stage.keep("korean")
    else:
        stage.keep("light")
        stage.window.theme.choose("dark")
        stage.keep("dark")
        stage.window.theme.choose("light")
        stage.resize(*SMALL)
        stage.keep("small")
    stage.end()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
