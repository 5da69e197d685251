"""SIGTERM and SIGHUP end the window's process properly, and keep the unsaved plan."""

import signal
import subprocess
import sys

import pytest

from ui.document.lost_plans import lost_plans
from ui.process.folders import recovery_folder

PROGRAM = """
import os, signal, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from planner.plan.edits.edit import replace_at
from ui import app
from ui.shell.main_window import MainWindow

def edit_and_end():
    plan = window.document.plan
    window.document.apply(replace_at(plan, ("name",), "Unsaved"), "Rename")
    os.kill(os.getpid(), signal.{name})

make = app.make_window
def make_window(application):
    global window
    window = make(application)
    QTimer.singleShot(0, edit_and_end)
    return window
app.make_window = make_window
sys.exit(app.run_window())
"""


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_keeps_the_plan_and_ends_the_process_with_its_code(qapp, name, code):
    words = [sys.executable, "-c", PROGRAM.format(name=name)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (code, "")
    (lost,) = lost_plans(recovery_folder())
    assert lost.plan.name == "Unsaved"


def test_a_plan_that_cannot_be_kept_is_said_on_the_terminal(qapp):
    recovery_folder().parent.mkdir(parents=True, exist_ok=True)
    recovery_folder().write_text("in the way")
    words = [sys.executable, "-c", PROGRAM.format(name=signal.SIGTERM.name)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 143
    assert "unsaved changes are lost" in done.stderr and "Traceback" not in done.stderr
