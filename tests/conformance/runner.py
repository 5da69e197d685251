"""Runs recorded cases against the rules of the program and counts what agrees.

An adapter is the module `tests.conformance.<area>.families` (a dash in the area becomes an underscore) with

    FAMILIES: dict[str, Callable[[dict], tuple[bool, object]]]      case -> (passed, what we got)

It translates and compares, nothing else. A family without adapter, and an adapter that raises, fail.
"""

import importlib
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.conformance.vectors import Family, read_cases

Adapter = Callable[[dict[str, Any]], tuple[bool, object]]
ADAPTERS = "tests.conformance"


@dataclass(frozen=True)
class Failure:
    """One case that did not agree; `got` is our answer, or the text of what went wrong."""

    case: dict[str, Any]
    got: object


@dataclass
class Score:
    """How many cases of one family agree, and those that do not."""

    family: Family
    passed: int = 0
    total: int = 0
    failures: list[Failure] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.family} {self.passed}/{self.total}"


def run_families(families: Iterable[Family], package: str = ADAPTERS) -> Iterator[Score]:
    """Score one family after the other."""
    for family in families:
        yield run_family(family, adapter_for(family, package))


def run_family(family: Family, adapter: Adapter) -> Score:
    """Ask the adapter about every case; the list of failures keeps the order of the file."""
    score = Score(family)
    for case in read_cases(family):
        score.total += 1
        try:
            passed, got = adapter(case)
        except Exception:
            passed, got = False, traceback.format_exc()
        if passed:
            score.passed += 1
        else:
            score.failures.append(Failure(case, got))
    return score


def adapter_for(family: Family, package: str = ADAPTERS) -> Adapter:
    """The function that knows this family, or one that fails every case and says why."""
    module = f"{package}.{family.area.replace('-', '_')}.families"
    try:
        known: Mapping[str, Adapter] = importlib.import_module(module).FAMILIES
    except ModuleNotFoundError as error:
        if not module.startswith(str(error.name)):
            return _failing(traceback.format_exc())
        return _failing(f"no adapter: there is no module {module}")
    except Exception:
        return _failing(traceback.format_exc())
    return known.get(family.name) or _by_family_of_case(known, module)


def _by_family_of_case(known: Mapping[str, Adapter], module: str) -> Adapter:
    """A file may hold several named variants; the case says which one it is."""

    def ask(case: dict[str, Any]) -> tuple[bool, object]:
        adapter = known.get(str(case.get("family")))
        return adapter(case) if adapter else (False, f"no adapter: {module}.FAMILIES does not name it")

    return ask


def _failing(reason: str) -> Adapter:
    return lambda case: (False, reason)
