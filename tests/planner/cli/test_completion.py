"""Shells complete commands and options; the manual page has them all."""

import subprocess
import sys
from pathlib import Path

import pytest

from planner.cli import completion
from planner.cli.command_line import SHORT_HELP
from ui import launch

PLACES = {
    "bash-completion/completions/headroom": "bash",
    "zsh/site-functions/_headroom": "zsh",
    "fish/vendor_completions.d/headroom.fish": "fish",
}
PROJECT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("headroom sea", "search"),
        ("headroom search --subj", "--subject-to"),
        ("headroom --la", "--lang"),
    ],
)
def test_a_shell_learns_how_a_line_goes_on(words, expected, monkeypatch, capsys):
    monkeypatch.setenv(completion.VARIABLE, "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(words.count(" ")))
    assert launch.main([]) == 0
    assert f"plain,{expected}" in capsys.readouterr().out.splitlines()


def test_packages_get_a_manual_page_with_every_command_and_a_script_for_every_shell(tmp_path):
    code = "import sys, manual; from pathlib import Path; manual.write(Path(sys.argv[1]))"
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=PROJECT / "packaging", check=True)
    page = (tmp_path / "man" / "man1" / "headroom.1").read_text(encoding="utf-8")
    for name in SHORT_HELP:
        assert f".SS headroom {name.replace('-', chr(92) + '-')} " in page
    assert "\\fB\\-\\-subject\\-to" in page and ".SH EXIT STATUS\n" in page
    for place, shell in PLACES.items():
        assert f"{completion.VARIABLE}={shell}_complete" in (tmp_path / place).read_text(encoding="utf-8")
