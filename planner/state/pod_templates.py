"""Pod templates of a cluster by number: those of its workloads, and their variants by revision and volume."""

from dataclasses import replace

from planner.state.specs import POD_TEMPLATE_HASH, PodSpec, template_hash


class PodTemplates:
    """Templates only come in addition; a number means the same for ever."""

    def __init__(self) -> None:
        self.specs: list[PodSpec] = []
        self._revised: dict[tuple[int, int], int] = {}
        """Template of a changed revision by first template and revision."""
        self._changed: dict[int, list[tuple[int, int]]] = {}
        """By first template: revisions from which on pods are made of another one, and that template."""
        self._zoned: dict[tuple[int, str], int] = {}

    def add(self, changed: PodSpec) -> int:
        """The number of one more template."""
        number = len(self.specs)
        self.specs.append(replace(changed, index=number))
        return number

    def change(self, template: int, revision: int, changed: PodSpec) -> None:
        """From a revision on, pods of a first template are made of a changed one."""
        self._changed.setdefault(template, []).append((revision, self.add(changed)))

    def of_revision(self, template: int, revision: int, workload: str) -> int:
        """The template of a revision: another one where it was changed, or where pods carry the hash of their revision.

        `workload`: name of the workload with its namespace.
        """
        for since, changed in self._changed.get(template, ()):
            template = changed if revision >= since else template
        base = self.specs[template]
        if revision == 0 or POD_TEMPLATE_HASH not in base.labels:
            return template
        known = self._revised.get((template, revision))
        if known is None:
            known = self._revised[template, revision] = len(self.specs)
            labels = {**base.labels, POD_TEMPLATE_HASH: template_hash(workload, revision)}
            self.specs.append(replace(base, index=known, labels=labels))
        return known

    def in_zone(self, template: int, zone: str | None) -> int:
        """The template of pods whose volume is in a zone, if it is."""
        if zone is None:
            return template
        known, base = self._zoned.get((template, zone)), self.specs[template]
        if known is None:
            known = self._zoned[template, zone] = len(self.specs)
            self.specs.append(replace(base, index=known, placement=replace(base.placement, volume_zone=zone)))
        return known
