"""An index of decisions: filter codes are built at once, searchable texts incrementally."""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.plan.model.plan import Plan
from planner.record.decisions import Actor, Decision, Verdict
from ui.wording.explained import component_of, headline_of, why_of
from ui.wording.numbers import clock_text

Rows = NDArray[np.int64]
_ACTORS = {actor: code for code, actor in enumerate(Actor)}
_VERDICTS = {verdict: code for code, verdict in enumerate(Verdict)}
_SLICE = 256
_NONE = ""


@dataclass(frozen=True)
class DecisionFilter:
    """Which decisions are shown; an empty filter shows all."""

    text: str = ""
    """Words that all occur in the row's texts, whatever their case."""
    actors: tuple[Actor, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    objects: tuple[str, ...] = ()
    """Names of workloads and node pools; their pods and nodes count as they do."""
    without: tuple[Verdict, ...] = ()
    """Verdicts that are hidden."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words to look for."""
        return tuple(self.text.lower().split())

    @property
    def is_empty(self) -> bool:
        """Whether no decision is hidden."""
        return not (self.words or self.actors or self.verdicts or self.objects or self.without)


class _Block(NamedTuple):
    """The texts of some rows in one string, and where each begins."""

    first: int
    text: str
    starts: list[int]


class DecisionIndex:
    """Columns of codes and blocks of text over the decisions of one run."""

    def __init__(self, plan: Plan) -> None:
        names = [item.name for part in (plan.workloads, plan.overprovisioning, plan.node_groups) for item in part]
        self.objects: list[str] = [_NONE, *dict.fromkeys(names)]
        """Workloads and node pools; a decision's object code is a position here."""
        self._object_codes = {name: code for code, name in enumerate(self.objects)}
        self._actors, self._verdicts, self._objects = array("b"), array("b"), array("i")
        self._without_object: list[Decision] = []
        """Decisions whose objects nobody has asked for yet: tens of thousands come as a run of many pods begins."""
        self._seen_actors: set[int] = set()
        self._seen_verdicts: set[int] = set()
        self._blocks: list[_Block] = []
        self._indexed = 0

    @property
    def count(self) -> int:
        """Decisions known."""
        return len(self._actors)

    @property
    def indexed(self) -> int:
        """Decisions whose texts can be searched; all before this row."""
        return self._indexed

    def extend(self, decisions: Iterable[Decision]) -> None:
        """Take over the codes of new decisions."""
        new = tuple(decisions)
        actors, verdicts = [_ACTORS[one.actor] for one in new], [_VERDICTS[one.verdict] for one in new]
        self._seen_actors.update(actors)
        self._seen_verdicts.update(verdicts)
        self._actors.extend(actors)
        self._verdicts.extend(verdicts)
        self._without_object.extend(new)

    def index_texts(self, decisions: Sequence[Decision], budget_s: float) -> bool:
        """Index texts for at most this long; whether any are left."""
        end_s = monotonic() + budget_s
        while self._indexed < self.count:
            first = self._indexed
            texts = [_haystack(decision) for decision in decisions[first : min(first + _SLICE, self.count)]]
            self._blocks.append(_block(first, texts))
            self._indexed += len(texts)
            if monotonic() >= end_s:
                break
        return self._indexed < self.count

    def rows(self, wanted: DecisionFilter, first: int, end: int) -> Rows:
        """Which of the rows from `first` to before `end` are wanted; with words, `end` may not pass `indexed`."""
        keep = np.ones(end - first, dtype=bool)
        for codes, allowed in (
            (self._actors, [_ACTORS[actor] for actor in wanted.actors]),
            (self._verdicts, [_VERDICTS[verdict] for verdict in wanted.verdicts]),
            (self._objects_known(wanted), [self._object_codes.get(name, -1) for name in wanted.objects]),
        ):
            if allowed:
                keep &= np.isin(np.array(codes[first:end]), allowed)
        if wanted.without:
            held_back = [_VERDICTS[verdict] for verdict in wanted.without]
            keep &= ~np.isin(np.array(self._verdicts[first:end]), held_back)
        if wanted.words:
            keep &= self._having(wanted.words, first, end)
        return np.flatnonzero(keep) + first

    def _objects_known(self, wanted: DecisionFilter) -> "array[int]":
        """Codes of the objects, brought up to date where the filter needs them."""
        if wanted.objects and self._without_object:
            code_of = self._object_codes.get
            late = [code_of(one.subject) or code_of(_owner(one.subject), 0) for one in self._without_object]
            self._objects.extend(late)
            self._without_object = []
        return self._objects

    def actors(self) -> list[Actor]:
        """Components that made any decision."""
        return [actor for actor, code in _ACTORS.items() if code in self._seen_actors]

    def verdicts(self) -> list[Verdict]:
        """Verdicts that occurred."""
        return [verdict for verdict, code in _VERDICTS.items() if code in self._seen_verdicts]

    def object_of(self, subject: str) -> str:
        """The workload or node pool that this pod, node, workload or pool belongs to; empty if to none."""
        return self.objects[self._object_codes.get(subject) or self._object_codes.get(_owner(subject), 0)]

    def first_of(self, rows: Rows, verdicts: Iterable[Verdict]) -> int | None:
        """The position of the first of these rows with such a verdict."""
        wanted = [_VERDICTS[verdict] for verdict in verdicts]
        found = np.flatnonzero(np.isin(np.array(self._verdicts)[rows], wanted))
        return int(found[0]) if len(found) else None

    def _having(self, words: tuple[str, ...], first: int, end: int) -> NDArray[np.bool_]:
        keep = np.zeros(end - first, dtype=bool)
        for block in self._blocks:
            if block.first + len(block.starts) <= first or block.first >= end:
                continue
            hits = np.array(_hits(block, words), dtype=np.int64) + block.first
            keep[hits[(hits >= first) & (hits < end)] - first] = True
        return keep


def _owner(subject: str) -> str:
    """The workload or pool of the pod or node of this name."""
    return subject.rpartition("-")[0]


def _haystack(decision: Decision) -> str:
    """Everything of a row that can be searched."""
    parts = (clock_text(decision.time_us / 1e6), component_of(decision), decision.subject, headline_of(decision))
    return " ".join((*parts, decision.verdict, why_of(decision))).lower().replace("\n", " ")


def _block(first: int, texts: list[str]) -> _Block:
    starts, at = [], 0
    for text in texts:
        starts.append(at)
        at += len(text) + 1
    return _Block(first, "\n".join(texts), starts)


def _hits(block: _Block, words: tuple[str, ...]) -> list[int]:
    """Positions of the block's rows that contain all words; the rarest leads, so that few rows are looked at."""
    text, starts = block.text, [*block.starts, len(block.text) + 1]
    lead, *others = sorted(words, key=text.count) if len(words) > 1 else words
    rows: list[int] = []
    at = text.find(lead)
    while at >= 0:
        row = bisect_right(starts, at) - 1
        start, end = starts[row], starts[row + 1] - 1
        if all(text.find(word, start, end) >= 0 for word in others):
            rows.append(row)
        at = text.find(lead, end)
    return rows
