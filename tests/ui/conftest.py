"""What all tests of the window share: no screen, no folders of the user, no thread left behind."""

import contextlib
import gc
import os
import threading
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings
from PySide6.QtGui import QGuiApplication

from tests.builders import a_plan
from ui.document.plan_document import PlanDocument
from ui.runs.session import RunSession
from ui.runs.time_cursor import TimeCursor
from ui.theme.theme import ThemeSource

_PATIENCE_S = 10.0
_MOST_GARBAGE = 100_000
"""New containers since the last search."""


@pytest.fixture(autouse=True)
def settings_folder(user_folders):
    """QSettings go where the user's other files go in a test: into a new folder."""
    for scope in (QSettings.Scope.UserScope, QSettings.Scope.SystemScope):
        QSettings.setPath(QSettings.Format.IniFormat, scope, str(user_folders))
        QSettings.setPath(QSettings.Format.NativeFormat, scope, str(user_folders))
    return user_folders


@pytest.fixture(autouse=True)
def no_worker_left():
    """A test that starts a thread ends it; a QThread that outlives its object ends the interpreter."""
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + _PATIENCE_S
    for thread in set(threading.enumerate()) - before:
        if not isinstance(thread, threading._DummyThread):
            thread.join(max(0.0, deadline - time.monotonic()))
            assert not thread.is_alive(), f"the test left the thread {thread.name} running"


@pytest.fixture(autouse=True)
def closed_windows_go(qapp):
    """What was to be deleted later is; Qt itself would wait for an event loop, and meanwhile polish all of it."""
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture(autouse=True)
def appearance_ends_with_the_test(qapp):
    """Style, colours and style sheet of the program are as before; a sheet left on it makes every later window dear."""
    before = qapp.style().name(), qapp.styleSheet()
    colours = qapp.palette()
    yield
    if (qapp.style().name(), qapp.styleSheet()) != before:
        gc.collect()  # widgets that nobody has any more would be polished, too
        qapp.setStyle(before[0])
        qapp.setPalette(colours)
        qapp.setStyleSheet(before[1])


@pytest.fixture(autouse=True)
def empty_clipboard():
    """What was copied goes before the interpreter does: a clipboard that outlives it ends it with a fault."""
    yield
    if isinstance(app := QGuiApplication.instance(), QGuiApplication):
        app.clipboard().clear()


@pytest.fixture(autouse=True)
def garbage_is_found_in_the_window_s_thread():
    """A collector that runs in a worker's thread would take away windows of earlier tests there: Qt faults."""
    gc.disable()
    yield
    if gc.get_count()[0] > _MOST_GARBAGE:
        gc.collect()


@pytest.fixture(autouse=True)
def undo_ends_with_the_test(monkeypatch):
    """A collector that takes the commands of an undo stack before the stack ends the interpreter with a fault."""
    documents: list[PlanDocument] = []
    begin = PlanDocument.__init__

    def noted(document, *args, **settings):
        begin(document, *args, **settings)
        documents.append(document)

    monkeypatch.setattr(PlanDocument, "__init__", noted)
    yield
    for document in documents:
        with contextlib.suppress(RuntimeError):  # gone with its window
            document.undo_stack.blockSignals(True)
            document.undo_stack.clear()


@pytest.fixture
def document(qapp):
    """A document with one pool and one workload."""
    return PlanDocument(a_plan())


@pytest.fixture
def session(qapp):
    """No run yet."""
    return RunSession()


@pytest.fixture
def cursor(qapp):
    """At no time."""
    return TimeCursor()


@pytest.fixture
def theme(qapp):
    """The light theme."""
    source = ThemeSource()
    source.choose("light")
    return source
