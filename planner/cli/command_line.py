"""Entry point of the command line: turns errors into messages and exit codes."""

import contextlib
import errno
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from planner import __version__
from planner.cli import completion, exit_codes
from planner.cli.click_texts import translate_click
from planner.cli.interruption import Interrupted, ended_by_signals
from planner.cli.loading import command
from planner.cli.spoken_help import in_language
from planner.cli.terminal import accept_any_character, leave_quietly, say
from planner.errors import ImportProblems, PlannerError, PlanProblems, RunStopped
from planner.kernels import switch
from planner.language.translation import LANGUAGES, language_of, marked, tr, use_language

if TYPE_CHECKING:
    from planner.reports.formats.registry import Writer

_OUTPUT_LOST = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""Errors of a stream that the user has to fix."""
_NO_MEMORY = marked("The run needs more memory than this computer has. Use fewer nodes and pods, or a shorter run.")


SHORT_HELP = MappingProxyType(
    {
        "simulate": "Run PLAN and print its key figures.",
        "validate": "Check PLAN without running it.",
        "report": "Run PLAN and write a report for people: HTML, PDF, XLSX or Markdown.",
        "headroom": "Find how much more load and how many more pods PLAN can take.",
        "compare": "Compare plans, or PLAN with its variants, with the same seeds.",
        "replicate": "Run PLAN with many seeds, to see how sure its figures are.",
        "vary": "Run PLAN over a space of its numbers.",
        "search": "Find the cheapest plan of a space that keeps its SLOs.",
        "stress": "Put PLAN and its variants under faults and loads, and see what breaks first.",
        "grow": "Let the load of PLAN grow month by month, and see what breaks when.",
        "rightsize": "Find what the pods of PLAN should request, and what that does to its nodes, latency and cost.",
        "experiment": "Make the experiment NAME of PLAN.",
        "variant": "Add the variant NAME to PLAN, made of changes such as 'nodeGroups[general].maxSize = 40'.",
        "check": "Compare plan OLD with plan NEW for a pull request.",
        "get": "Run PLAN and print its objects as kubectl get shows them.",
        "why": "Run PLAN and say why a node is still there, or why no node was added for a pod.",
        "digest": "Run PLAN and print the digest of the run.",
        "import": "Turn Kubernetes manifests or a known trace into a plan.",
        "export": "Write PLAN as Kubernetes manifests, one YAML file per kind.",
        "trace": "Give WORKLOAD of PLAN the load or the use recorded in TRACE.",
        "measure": "Ask a Prometheus what it knows of PLAN, and save it for calibrate and backtest.",
        "calibrate": "Fit values of PLAN to the measured series of a cluster.",
        "backtest": "Play the measured load of a cluster in PLAN and print how far the run is from what happened.",
        "preset": "Apply the preset NAME to PLAN.",
        "runtime": "Let the pods of WORKLOAD in PLAN run their requests as the runtime NAME does.",
        "machines": "List the machine catalogue: sizes and example prices.",
        "machine": "Give the nodes of POOL in PLAN the size and price of a catalogue machine.",
        "prices": "Give the node pools of PLAN the prices of an OpenCost table.",
        "machine-types": "Give Karpenter in PLAN machine types to choose from.",
        "convert": "Turn node groups of the Cluster Autoscaler in PLAN into node pools of Karpenter, or back.",
    }
)
"""All commands, in the order of the help, with the first sentence of each. A new one is a module in `commands`, an
import in `loading.py`, and a line here."""


class _Commands(click.Group):
    """Commands that are loaded when they are used, in the order in which they are usually needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(SHORT_HELP)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return in_language(command(cmd_name)) if cmd_name in SHORT_HELP else None

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super(_Commands, in_language(self)).format_help(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(tr("Commands")):
            formatter.write_dl([(name, tr(text)) for name, text in SHORT_HELP.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A plan file where a command is expected: the command is missing."""
        first = args[0]
        if first not in SHORT_HELP and (first.endswith(".headroom") or os.sep in first):
            ctx.fail(tr("{first} is not a command. To run it: headroom simulate {first}", first=first))
        return super().resolve_command(ctx, args)


def _say_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(f"headroom {__version__}, {switch.in_words()}")
        context.exit()


@click.group(
    name="headroom",
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=exit_codes.IN_WORDS,
)
@click.option(
    "--lang",
    type=click.Choice(list(LANGUAGES)),
    is_eager=True,
    expose_value=False,
    callback=lambda _context, _parameter, code: use_language(code) if code else None,
    help="Language of texts for people; default: that of the environment (LANG).",
)
@click.option("--no-kernels", is_flag=True, help="Run without the compiled kernels: slower, with the same results.")
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_say_version,
    help="Print the version, and whether the compiled kernels are in use.",
)  # fmt: skip
def commands(no_kernels: bool) -> None:
    """Simulate the capacity of a Kubernetes cluster from a plan file.

    Without a command, or with a plan file alone, the window opens.
    """
    if no_kernels:
        switch.switch_off()


def main(argv: Sequence[str] | None = None, pdf: "Callable[[], Writer] | None" = None) -> int:
    """Run the command line and return its exit code. `argv` is without the program's name.

    `pdf` loads what writes PDF, which the core cannot; it may raise PlannerError.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    use_language(language_of())
    translate_click()
    accept_any_character()
    try:
        with ended_by_signals():
            return completion.answer(commands) if completion.is_wanted() else _code_of(arguments, pdf)
    except Interrupted as signal:  # just before or after the command
        return exit_codes.of_signal(signal.number)
    finally:
        leave_quietly()


def _code_of(arguments: list[str], pdf: "Callable[[], Writer] | None") -> int:
    try:
        with commands.make_context("headroom", arguments, obj=pdf) as context:  # not .main(), which exits by itself
            return int(commands.invoke(context))
    except click.exceptions.Exit as wish:  # --help
        return wish.exit_code
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        return exit_codes.GOOD
    except click.ClickException as error:
        with contextlib.suppress(OSError):
            error.show()
        return exit_codes.BAD_INPUT
    except Interrupted as signal:
        say(str(signal))
        return exit_codes.of_signal(signal.number)
    except (KeyboardInterrupt, click.Abort):
        say(tr("Interrupted."))
        return exit_codes.INTERRUPTED
    except PlannerError as error:
        return _report(error)
    except MemoryError:
        say(tr(_NO_MEMORY))
        return exit_codes.BAD_INPUT
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _OUTPUT_LOST and error.filename is None:
            say(
                tr(
                    "The output cannot be written ({reason}). Free some space or redirect it.",
                    reason=error.strerror,
                )
            )
            return exit_codes.BAD_INPUT
        with contextlib.suppress(OSError):
            traceback.print_exc()  # whatever arrives here is a bug and is shown in full
        return exit_codes.INTERNAL_ERROR


def _report(error: PlannerError) -> int:
    """One line per problem: where, what is wrong, how to fix it."""
    for problem in error.problems if isinstance(error, PlanProblems | ImportProblems) else (error,):
        say(str(problem))
    if isinstance(error, PlanProblems) and error.more:
        say(tr("and {more} more", more=error.more))
    return exit_codes.INTERRUPTED if isinstance(error, RunStopped) and error.cancelled else exit_codes.BAD_INPUT
