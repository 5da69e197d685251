"""The tables of money: cost by owner, and capacity paid for but not used."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QCoreApplication

from planner.language.translation import tr
from planner.record.result import Figure, Row
from planner.reports.content.known_figures import known_figure
from ui.widgets.plain_table import Cell, Cells, Tone
from ui.wording.figures import NOTHING, cores_text, money_text, percent_text
from ui.wording.numbers import Unit, value_text

translate = QCoreApplication.translate


def cost_rows(costs: Sequence[Row], currency: str) -> list[Cells]:
    """Cells for part, node hours, cost and share: by pool, by workload with the idle rest, by namespace."""
    total = next((row["cost_currency"] for row in costs if row["kind"] == "total"), 0.0)
    rows: list[Cells] = []
    for title, kinds in _parts():
        found = [row for row in costs if row["kind"] in kinds]
        if title and len(found) > 0:
            rows.append((Cell(title, tone=Tone.HEADING), Cell(), Cell(), Cell()))
        rows += [_cost_row(row, total, currency) for row in _by_size(found)]
    return rows


def _parts() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (
        ("", ("total",)),
        (translate("summary", "By node pool"), ("node group",)),
        (translate("summary", "By workload"), ("workload", "idle")),
        (translate("summary", "By namespace"), ("namespace",)),
    )


def _by_size(rows: Sequence[Row]) -> list[Row]:
    """The dearest first; what is idle at the end."""
    return sorted(rows, key=lambda row: (row["kind"] == "idle", -row["cost_currency"]))


def _cost_row(row: Row, total: float, currency: str) -> Cells:
    cost, hours = row["cost_currency"], row["node_hours_h"]
    share = cost / total if total > 0.0 else 0.0
    if row["kind"] == "total":
        name, tip, tone = translate("summary", "Total"), "", Tone.HEADING
    elif row["kind"] == "idle":
        name = "  " + translate("summary", "idle")
        tip, tone = translate("summary", "The part of the nodes that no pod requested"), Tone.MUTED
    else:
        name, tip, tone = f"  {row['subject']}", "", Tone.PLAIN
    return (
        Cell(name, tip, tone),
        Cell(f"{hours:,.1f} h" if hours is not None else "", tone=Tone.MUTED),
        Cell(money_text(cost, currency), tone=tone),
        Cell(percent_text(round(share, 2)), tone=tone, share=share if row["kind"] != "total" else None),
    )


_WASTES = ("slack", "over_request", "reserve")


def waste_rows(figures: Mapping[str, Figure], currency: str) -> list[Cells]:
    """Cells for kind, CPU, memory and worth."""
    return [_waste_row(kind, figures, currency) for kind in _WASTES if f"waste_{kind}_cpu" in figures]


def _waste_row(kind: str, figures: Mapping[str, Figure], currency: str) -> Cells:
    known = known_figure(f"waste_{kind}_cpu")
    tip = tr(known.help)
    cpu, memory, worth = (figures.get(f"waste_{kind}_{what}") for what in ("cpu", "memory", "worth"))
    return (
        Cell(tr(known.title), tip),
        Cell(cores_text(cpu.value) if cpu is not None else NOTHING, tip),
        Cell(value_text(memory.value, Unit.BYTES) if memory is not None else NOTHING, tip),
        Cell(money_text(worth.value, currency) if worth is not None else NOTHING, tip),
    )
