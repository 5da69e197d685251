"""Folders of the user that the window writes to, besides where plans are saved."""

from pathlib import Path

import platformdirs


def recovery_folder() -> Path:
    """Copies of plans that are not saved yet."""
    return platformdirs.user_data_path("headroom", appauthor=False) / "recovery"


def log_folder() -> Path:
    """What happened, for reports of faults."""
    return platformdirs.user_log_path("headroom", appauthor=False)
