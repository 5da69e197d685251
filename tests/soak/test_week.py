"""A week of 1,000 nodes and 30,000 pods stays within its memory, can be opened, and can be exported."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

MOST_MIB = 4096
PROJECT = Path(__file__).resolve().parents[2]


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_week_of_a_large_cluster_is_run_opened_and_exported_in_bounded_memory(tmp_path):
    work = [sys.executable, "-m", "tests.soak.week", "7", str(tmp_path / "report")]
    measured = json.loads(subprocess.run(work, cwd=PROJECT, check=True, stdout=subprocess.PIPE).stdout)
    assert measured["rows"] == 7 * 24 * 240 + 1 and measured["pods"] >= 30_000 and measured["sum"] > 10_000
    assert max(measured["run_peak_mib"], measured["export_peak_mib"]) < MOST_MIB, measured
    with open(tmp_path / "report" / "timeseries.csv", newline="") as file:
        assert sum(1 for _ in file) == measured["rows"] + 1
