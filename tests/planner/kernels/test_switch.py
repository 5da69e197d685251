"""Kernels are used where they were built from the sources beside them, unless they are switched off."""

import pytest

from planner.api import load_plan, run_plan
from planner.kernels import sources, switch
from tests.architecture.sources import PROJECT


@pytest.fixture(autouse=True)
def fresh_look():
    switch.why_missing.cache_clear()
    yield
    switch.why_missing.cache_clear()


needs_kernels = pytest.mark.skipif(bool(switch.why_missing()), reason=f"kernels are {switch.why_missing()}")


def test_all_sources_are_listed():
    assert sorted(switch.KERNELS) == sources.all_kernels()


def test_a_stub_describes_every_kernel():
    assert all(sources.source_of(name).with_suffix(".pyi").exists() for name in switch.KERNELS)


@needs_kernels
def test_kernels_are_used_where_they_were_built(monkeypatch):
    monkeypatch.delenv(switch.VARIABLE, raising=False)
    assert switch.in_use() and switch.in_words() == "compiled kernels in use"


def test_a_variable_of_the_environment_switches_them_off(monkeypatch):
    monkeypatch.setenv(switch.VARIABLE, switch.OFF)
    assert not switch.in_use() and "switched off" in switch.in_words()


@needs_kernels
def test_kernels_of_other_sources_are_not_used(monkeypatch):
    monkeypatch.delenv(switch.VARIABLE, raising=False)
    monkeypatch.setattr(switch, "fingerprint", lambda kernel: 1)
    assert switch.why_not() == switch.OUT_OF_DATE and "slower" in switch.in_words()


def test_what_is_not_built_is_not_used(monkeypatch):
    monkeypatch.delenv(switch.VARIABLE, raising=False)
    monkeypatch.setattr(switch, "KERNELS", ("no_such_kernel",))
    assert switch.why_not() == switch.NOT_BUILT


@needs_kernels
def test_a_packaged_program_has_no_sources_to_compare_with(monkeypatch):
    monkeypatch.delenv(switch.VARIABLE, raising=False)
    monkeypatch.setattr(switch, "fingerprint", lambda kernel: 0)
    assert switch.in_use()


@needs_kernels
@pytest.mark.parametrize("scenario", ["flash-sale", "flash-sale-overprovisioned", "zone-outage-spread"])
def test_a_run_is_the_same_with_and_without_kernels(monkeypatch, scenario):
    plan = load_plan(PROJECT / "scenarios" / scenario / "plan.headroom")
    digests = set()
    for state in ("on", switch.OFF):
        monkeypatch.setenv(switch.VARIABLE, state)
        digests.add(run_plan(plan, until_us=1_200_000_000).digest())
    assert len(digests) == 1
