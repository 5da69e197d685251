"""Log files."""

import faulthandler
import logging
import stat

import pytest
from PySide6.QtCore import qInstallMessageHandler

from ui.process import log


@pytest.fixture
def quiet_after():
    """The log of this test ends with it."""
    before = list(log.LOG.handlers)
    was_on = faulthandler.is_enabled()
    yield
    qInstallMessageHandler(None)
    faulthandler.disable()
    if was_on:
        faulthandler.enable()
    while log._open:
        log._open.pop().close()
    for handler in [one for one in log.LOG.handlers if one not in before]:
        log.LOG.removeHandler(handler)
        handler.close()


def test_only_the_user_may_read_the_log_and_the_crash_reports(tmp_path, quiet_after, monkeypatch):
    monkeypatch.setattr(log, "_MAX_BYTES", 100)
    folder = tmp_path / "log"
    folder.mkdir(mode=0o755)
    (folder / "crash.log").touch(mode=0o644)
    assert log.start_log(folder) == folder / "headroom.log"
    for _time in range(5):
        log.LOG.log(logging.ERROR, "a line that fills the log")
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}
    assert modes == dict.fromkeys(("headroom.log", "headroom.log.1", "headroom.log.2", "crash.log"), 0o600)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
