"""A user's day on an X server, with the program as it is started from the command line."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests import x_display
from tests.packaging.day_of_work import Day, work_a_day

ROOT = Path(__file__).parents[3]
PLAN = ROOT / "scenarios" / "flash-sale-overprovisioned" / "plan.headroom"


@pytest.mark.skipif(bool(x_display.missing_tools()), reason="needs Xvfb and xdotool")
def test_a_day_of_work_by_keyboard(user_folders, tmp_path):
    plan = Path(shutil.copyfile(PLAN, tmp_path / "shop.headroom"))
    kept = {key: value for key, value in os.environ.items() if key.startswith("XDG_") or key == "PATH"}
    user = kept | {"HOME": str(tmp_path), "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    with x_display.virtual_display() as display:
        log = Path(user_folders) / "headroom" / "log" / "headroom.log"
        day = Day([sys.executable, "-m", "ui.launch"], user, x_display.Hand(display), log, tmp_path)
        try:
            work_a_day(day, plan, ROOT / "tests" / "data" / "manifests")
        finally:
            day.kill()
    written = json.loads(plan.read_text("utf-8"))
    assert written["nodeGroups"][0]["maxSize"] == written["workloads"][0]["replicas"] == 37
    assert written["horizontalPodAutoscalers"][0]["minReplicas"] == 37
    assert (tmp_path / "report.html").read_bytes().startswith(b"<!DOCTYPE html>")
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")
    assert "ERROR" not in log.read_text("utf-8")
