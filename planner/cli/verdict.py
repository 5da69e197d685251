"""The exit code of a finished run."""

from planner import api
from planner.cli.exit_codes import BAD_INPUT, CHECK_FAILED, GOOD
from planner.cli.interruption import Interruption
from planner.cli.terminal import say
from planner.errors import RunStopped
from planner.language.translation import tr


def verdict(result: api.RunResult, interruption: Interruption, *, check_slo: bool = False) -> int:
    """The code; why it is not good goes to standard error."""
    if result.stopped is not None:
        return stopped(result.stopped, interruption)
    if interruption():  # while the results were written
        return interruption.exit_code
    if check_slo and result.slo_missed:
        say(tr("SLO missed: {slo_missed}", slo_missed=", ".join(result.slo_missed)))
        return CHECK_FAILED
    return GOOD


def stopped(reason: RunStopped, interruption: Interruption) -> int:
    """A run that ended before its time: the user's wish, or a bound that it reached."""
    say(str(reason))
    return interruption.exit_code if reason.cancelled else BAD_INPUT
