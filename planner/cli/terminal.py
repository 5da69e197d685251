"""Text for people: results on standard output, everything else on standard error."""

import contextlib
import io
import os
import sys

import click


def say(text: str) -> None:
    """A line on standard error; a closed stream is no error."""
    with contextlib.suppress(OSError):
        click.echo(printable(text), err=True)


def print_line(line: str) -> None:
    """A line on standard output."""
    click.echo(printable(line))


def print_block(text: str) -> None:
    """Several lines on standard output."""
    click.echo(printable(text, "\n"))


def printable(text: str, keep: str = "") -> str:
    """Without control characters, which a plan's names might smuggle into the terminal; `keep` are let through."""
    return "".join(letter if letter.isprintable() or letter in keep else repr(letter)[1:-1] for letter in text)


def accept_any_character() -> None:
    """A terminal of another encoding shows what it lacks as an escape."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def leave_quietly() -> None:
    """What cannot be written any more is sent nowhere, so that the interpreter does not complain at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:  # None: closed by the parent process
                stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
