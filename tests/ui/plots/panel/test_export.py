"""A plot's file is replaced as a whole."""

import errno
import os

import pytest

from ui.plots.panel import export


def test_a_full_disk_leaves_the_older_file(tmp_path, monkeypatch):
    path = tmp_path / "plot.csv"
    path.write_bytes(b"old")

    def full(_handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(export, "table_of", lambda _row: b"new")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left"):
            export.export_plot(None, "csv", path)
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]
    assert export.export_plot(None, "csv", tmp_path / "plot") == path
    assert path.read_bytes() == b"new"
