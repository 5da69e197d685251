"""What is typed as the context of a cluster names the import, whatever it is."""

import pytest

from planner.api import Imported, Losses
from planner.plan.model.plan import Plan
from ui.transfer import cluster_reading
from ui.transfer.cluster_dialog import ClusterChoice


@pytest.mark.parametrize("context", ["", "a" * 300, "한국" * 100, "..", "arn:aws:eks:eu/prod", "a\0b"])
def test_every_context_is_a_folder(context, monkeypatch):
    folders = []
    monkeypatch.setattr(cluster_reading, "dump_cluster", lambda _calls, folder, *_: folders.append(folder.is_dir()))
    monkeypatch.setattr("planner.api.import_plan", lambda _paths: Imported(Plan(), Losses()))
    cluster_reading._read(ClusterChoice(context, ()), type("Watch", (), {"show": None})())
    assert folders == [True]
