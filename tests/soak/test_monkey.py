"""Half an hour of random clicks, keys, edits, undo, runs and tab changes harms nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

MINUTES = 10
MOST_GROWTH_MIB = 80
"""In the second half. A session keeps up to twenty runs, and the first half makes more; what grows after is a leak."""
PROJECT = Path(__file__).resolve().parents[2]


@pytest.mark.soak
@pytest.mark.timeout(2 * 3600)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_use_raises_nothing_loses_no_edit_and_keeps_its_memory(tmp_path, seed):
    home = {name: str(tmp_path / name) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    folder = tmp_path / "saved"
    folder.mkdir()
    work = [sys.executable, "-X", "faulthandler", "-m", "tests.soak.monkey", str(seed), str(MINUTES), str(folder)]
    environment = os.environ | home | {"QT_QPA_PLATFORM": "offscreen"}
    said = subprocess.run(work, cwd=PROJECT, env=environment, check=True, stdout=subprocess.PIPE, timeout=60 * 60)
    seen = json.loads(said.stdout)
    assert seen["faults"] == [] and seen["problems"] == []
    half = len(seen["memory_mib"]) // 2
    assert seen["rounds"] >= 10 and seen["memory_mib"][-1] - seen["memory_mib"][half] < MOST_GROWTH_MIB, seen
