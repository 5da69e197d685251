"""kubectl headroom dump, for machines without Headroom, makes the calls that an import from the cluster makes."""

import shlex
import subprocess
from pathlib import Path

import pytest

from planner.kube.live.calls import cluster_calls

PLUGIN = Path("packaging/kubectl-headroom").absolute()


def dry_run(*options):
    answer = subprocess.run(["sh", PLUGIN, "dump", "--dry-run", *options], capture_output=True, text=True, check=True)
    return {frozenset(shlex.split(line)) for line in answer.stdout.splitlines()}


@pytest.mark.parametrize(
    ("options", "calls"),
    [
        ((), cluster_calls()),
        (("--context", "shop"), cluster_calls("shop")),
        (("--namespace", "a", "--namespace", "b"), cluster_calls("", ("a", "b"))),
    ],
    ids=["everything", "a context", "two namespaces"],
)
def test_the_plug_in_makes_the_same_calls(options, calls):
    assert dry_run(*options) == {frozenset(("kubectl", *call.arguments)) for call in calls}


def test_files_are_those_of_a_dump_and_empty_answers_leave_none(tmp_path):
    fake = tmp_path / "bin" / "kubectl"
    fake.parent.mkdir()
    fake.write_text('#!/bin/sh\ncase "$*" in *configmap*) ;; *pod*) exit 1 ;; *) echo "{}" ;; esac\n')
    fake.chmod(0o755)
    made = subprocess.run(["sh", PLUGIN, "dump", "-o", tmp_path / "dump"], env={"PATH": f"{fake.parent}:/usr/bin:/bin"},
                          capture_output=True, text=True, check=True)  # fmt: skip
    names = {path.stem for path in (tmp_path / "dump").iterdir()}
    assert names == {call.name for call in cluster_calls() if not {"pod", "config"} & {call.name[:3], call.name[:6]}
                     and "pod" not in call.text("") and "configmap" not in call.text("")}  # fmt: skip
    assert "kinds were not there" in made.stderr


@pytest.mark.parametrize("wrong", [(), ("dump", "--context"), ("dump", "--secrets", "all")])
def test_wrong_options_are_refused(wrong):
    assert subprocess.run(["sh", PLUGIN, *wrong], capture_output=True, check=False).returncode == 2
