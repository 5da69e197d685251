"""The manual page with all commands and options, and what shells read to complete them: made of the commands.

Laid out as below /usr/share.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

import click  # noqa: E402
from click.shell_completion import ShellComplete, get_completion_class  # noqa: E402

from planner.cli.command_line import SHORT_HELP, commands  # noqa: E402
from planner.cli.completion import VARIABLE  # noqa: E402
from planner.cli.exit_codes import IN_WORDS  # noqa: E402
from planner.cli.loading import command  # noqa: E402
from planner.cli.spoken_help import paragraphs  # noqa: E402

PAGE = "man/man1/headroom.1"
COMPLETIONS = {
    "bash": "bash-completion/completions/headroom",
    "zsh": "zsh/site-functions/_headroom",
    "fish": "fish/vendor_completions.d/headroom.fish",
}


def write(share: Path) -> None:
    """Write the files below a folder."""
    texts = {PAGE: "\n".join(page()) + "\n"}
    texts |= {place: script(shell) for shell, place in COMPLETIONS.items()}
    for place, text in texts.items():
        (share / place).parent.mkdir(parents=True, exist_ok=True)
        (share / place).write_text(text, encoding="utf-8", newline="\n")


def script(shell: str) -> str:
    """What a shell reads once, to ask the program from then on how a line goes on."""
    return ShellComplete.source(get_completion_class(shell)(commands, {}, "headroom", VARIABLE))


def page() -> Iterator[str]:
    """Lines of roff."""
    yield '.TH HEADROOM 1 "" "Headroom" "User Commands"'
    yield from (".SH NAME", r"headroom \- Kubernetes cluster capacity planning by simulation")
    yield from (".SH SYNOPSIS", ".B headroom", ".RI [ PLAN ]", ".br", ".B headroom", r"\fICOMMAND\fR [\fIOPTIONS\fR]")
    yield ".SH DESCRIPTION"
    yield from described(commands)
    yield ".SH OPTIONS"
    yield from options(commands, "headroom")
    yield ".SH COMMANDS"
    for name in SHORT_HELP:
        found = command(name)
        pieces = found.collect_usage_pieces(click.Context(found, info_name=f"headroom {name}"))
        yield f".SS headroom {roff(' '.join((name, *pieces)))}"
        yield from described(found)
        yield from options(found, f"headroom {name}")
    yield ".SH EXIT STATUS"
    yield from blocks(IN_WORDS)


def described(found: click.Command) -> Iterator[str]:
    """The help of a command, and what comes after its options."""
    for text in (found.help, found.epilog if found is not commands else None):
        yield from blocks(text or "")


def blocks(text: str) -> Iterator[str]:
    """Paragraphs; those that click leaves as they are, line by line."""
    for part in paragraphs(text):
        if part.startswith("\b"):
            yield from (".PP", ".nf", *map(roff, part.splitlines()[1:]), ".fi")
        elif part:
            yield from (".PP", roff(part))


def options(found: click.Command, name: str) -> Iterator[str]:
    """Each option with its help."""
    context = click.Context(found, info_name=name)
    for parameter in found.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and record[1]:
            yield from (".TP", rf"\fB{roff(record[0])}\fR", roff(record[1]))


def roff(text: str) -> str:
    """The text as roff shows it."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{text}" if text.startswith((".", "'")) else text
