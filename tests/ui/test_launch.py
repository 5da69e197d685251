"""The entry point: who gets which words."""

import signal
import subprocess
import sys

import pytest

from planner import cli
from ui import launch


@pytest.fixture(autouse=True)
def signal_handlers():
    """The entry point belongs to a process of its own; here its handlers go again."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.fixture
def handed_over(monkeypatch):
    calls = []
    monkeypatch.setattr(cli, "main", lambda words, **_: calls.append(words) or 7)
    return calls


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["simulate", "a.headroom", "--seed", "2"], id="a subcommand with a plan"),
        pytest.param(["--help"], id="an option"),
        pytest.param(["simulat"], id="an unknown word, for the command line to refuse"),
    ],
)
def test_subcommands_go_to_the_command_line(words, handed_over):
    assert launch.main(words) == 7
    assert handed_over == [words]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        pytest.param([], "simulate PLAN", id="nothing typed"),
        pytest.param(["my.headroom"], "simulate my.headroom", id="a plan file"),
        pytest.param(["plans/shop"], "simulate plans/shop", id="a path"),
    ],
)
def test_without_a_display_the_command_says_what_to_type(words, named, handed_over, capsys, monkeypatch):
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(variable, raising=False)
    assert launch.main(words) == 2
    assert handed_over == []
    assert named in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "opens"),
    [
        ([], (None, False)),
        (["my.headroom"], ("my.headroom", False)),
        (["--new-window"], (None, True)),
        (["--new-window", "my.headroom"], ("my.headroom", True)),
    ],
)
def test_with_a_display_the_window_opens(words, opens, handed_over, monkeypatch):
    opened = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("ui.app.run_window", lambda plan, language, is_new: opened.append((plan, is_new)) or 0)
    assert launch.main(words) == 0
    assert (opened, handed_over) == ([opens], [])


START = """
import gc, sys
from PySide6.QtCore import QTimer
from ui import app

LATER = "planner.simulation.run"
make = app.make_window
def make_window(application):
    window = make(application)
    QTimer.singleShot(0, lambda: print(LATER in sys.modules, gc.get_freeze_count() > 0))
    seen = QTimer(window, interval=20)
    seen.timeout.connect(lambda: application.exit(7) if LATER in sys.modules else None)
    seen.start()
    return window
app.make_window = make_window
sys.exit(app.run_window())
"""


def test_the_window_is_there_before_what_simulates_is_loaded_and_that_does_not_wait_for_a_run(qapp):
    done = subprocess.run([sys.executable, "-c", START], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (7, "False True\n", "")


SOURCES = """
import linecache, sys
from ui import launch

stop = launch.stop_source_reading
def load():
    stop()
    from ui import app
    read = [name for name in linecache.cache if name.endswith("main_window.py")]
    app.run_window = lambda *_args, **_words: print(read)
launch.stop_source_reading = load
launch.main([])
"""


def test_the_sources_of_the_window_are_not_read_into_memory(qapp):
    said = subprocess.run([sys.executable, "-c", SOURCES], capture_output=True, text=True, check=True, timeout=60)
    assert said.stdout == "[]\n"


def test_a_headless_call_does_not_load_qt():
    look = "print([name for name in sys.modules if 'PySide' in name])"
    code = f"import sys; from ui import launch; launch.main(['--help']); {look}"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.splitlines()[-1] == "[]"


def test_the_window_loads_nothing_that_is_used_later():
    later = (
        "scipy", "planner.kube.kinds", "yaml", "jinja2", "xlsxwriter", "ui.experiments.workspace", "ui.answers",
        "ui.measured", "planner.measured.calibration", "planner.reports.content.report", "planner.reports.csv_report",
    )  # fmt: skip
    code = f"import sys; import ui.app; print([name for name in {later} if name in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.splitlines()[-1] == "[]"


def test_the_process_arguments_are_the_default(monkeypatch, handed_over):
    monkeypatch.setattr("sys.argv", ["headroom", "digest", "a.headroom"])
    assert launch.main() == 7
    assert handed_over == [["digest", "a.headroom"]]


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
@pytest.mark.parametrize("while_loading", ["planner.cli", "click", "planner.cli.command_line"])
def test_a_signal_while_the_program_loads_ends_it_without_a_traceback(name, code, while_loading):
    """The signal arrives just as one of the modules is looked for."""
    program = (
        "import os, signal, sys\n"
        "class Trap:\n"
        "    def find_spec(self, module, *_rest):\n"
        f"        if module == {while_loading!r}: os.kill(os.getpid(), signal.{name})\n"
        "sys.meta_path.insert(0, Trap())\n"
        "from ui.launch import main\n"
        "sys.exit(main(['--help']))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr, done.stdout) == (code, "Interrupted.\n", "")
