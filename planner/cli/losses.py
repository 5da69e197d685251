"""What an import or export could not keep."""

from planner import api
from planner.cli.terminal import say
from planner.language.translation import tr

_MOST = 300


def tell_losses(losses: api.Losses, title: str) -> None:
    """On standard error: what was skipped or left out and why, then what should be filled in."""
    _tell("Skipped", [str(problem) for problem in losses.skipped])
    _tell(tr("Taken from elsewhere than the templates"), list(losses.taken))
    _tell(title, [str(loss) for loss in losses])
    for remark in losses.remarks:
        say(tr("hint: {hint}", hint=remark))


def _tell(title: str, lines: list[str]) -> None:
    if lines:
        say(f"{title}:")
    for line in lines[:_MOST]:
        say(f"  {line}")
    if len(lines) > _MOST:
        say(tr("  and {count} more", count=len(lines) - _MOST))
