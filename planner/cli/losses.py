"""What an import or export could not keep."""

from planner import api
from planner.cli.terminal import say

_MOST = 300


def tell_losses(losses: api.Losses, title: str) -> None:
    """On standard error: what was left out and why, then what should be filled in."""
    lines = [str(loss) for loss in losses]
    if lines:
        say(f"{title}:")
    for line in lines[:_MOST]:
        say(f"  {line}")
    if len(lines) > _MOST:
        say(f"  and {len(lines) - _MOST} more")
    for remark in losses.remarks:
        say(f"hint: {remark}")
