"""Prices of nodes from a table as OpenCost and Kubecost read it (CSV pricing), for the pools of a plan.

OpenCost 1.117, configs/pricing_schema.csv and pkg/cloud/provider/csvprovider.go: a row prices the nodes whose field
`InstanceIDField` has the value `InstanceID`; the machine type may be given in a column of its own.
"""

import csv
import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from planner.disk.cures import cure_of, reason_of
from planner.errors import PlanFileError
from planner.language.translation import tr
from planner.plan.edits.edit import replace_at
from planner.plan.model.node_groups import MACHINE_TYPE_LABEL, REGION_LABEL, NodeGroup
from planner.plan.model.plan import Plan

_PRICE, _TYPE, _ID, _FIELD = "MarketPriceHourly", "InstanceType", "InstanceID", "InstanceIDField"
_LABELS = "metadata.labels."
_MOST_PRICE = 10_000.0


def _head() -> str:
    return tr(
        "Begin with a row of column names, {price} and {type} or {id} with {field} among them.",
        price=_PRICE, type=_TYPE, id=_ID, field=_FIELD,
    )  # fmt: skip


class PriceRow(NamedTuple):
    """A price of nodes."""

    label: str
    """Label by which its nodes are known."""
    value: str
    region: str
    """Empty for every region."""
    price: float

    def is_for(self, group: NodeGroup) -> bool:
        """Whether the nodes of a pool have the label, and the region if both name one."""
        labels = group.node_labels
        known = labels.get(REGION_LABEL, "")
        return labels.get(self.label) == self.value and (not self.region or not known or self.region == known)


class Priced(NamedTuple):
    """A plan with prices, and what they were given to."""

    plan: Plan
    pools: tuple[str, ...]
    without: tuple[str, ...]
    """Pools that no row prices."""


def read_prices(path: Path) -> tuple[PriceRow, ...]:
    """The rows for nodes. Raises PlanFileError."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise PlanFileError(
            str(path), tr("The file cannot be read ({reason}).", reason=reason_of(error)), cure_of(error)
        ) from error
    except UnicodeDecodeError as error:
        raise PlanFileError(str(path), tr("The file is no text."), tr("Give a CSV file in UTF-8.")) from error
    rows = csv.DictReader(text.splitlines())
    if _PRICE not in (rows.fieldnames or ()):
        raise PlanFileError(str(path), tr("The table has no prices."), _head())
    return tuple(_rows(rows, path))


def with_prices(plan: Plan, prices: tuple[PriceRow, ...]) -> Priced:
    """Each pool gets the price of the first row that is for it."""
    found: list[str] = []
    without: list[str] = []
    for row, group in enumerate(plan.node_groups):
        price = next((one.price for one in prices if one.is_for(group)), None)
        if price is None:
            without.append(group.name)
            continue
        plan = replace_at(plan, ("node_groups", row, "price_per_hour"), price)
        found.append(group.name)
    return Priced(plan, tuple(found), tuple(without))


def _rows(rows: "csv.DictReader[str]", path: Path) -> Iterator[PriceRow]:
    for row in rows:
        if (row.get("AssetClass") or "node").lower() != "node":
            continue
        place = f"{path}, line {rows.line_num}"
        try:
            price = float(row[_PRICE])
        except (TypeError, ValueError) as error:
            raise PlanFileError(
                place, tr("{value} is no number.", value=_PRICE), tr("Write the price of an hour, such as 0.096.")
            ) from error
        if not math.isfinite(price) or not 0 <= price <= _MOST_PRICE:
            raise PlanFileError(
                place,
                tr("{value:g} is no price of an hour.", value=price),
                tr("Give 0 to {most:,.0f}.", most=_MOST_PRICE),
            )
        field, region = row.get(_FIELD) or "", row.get("Region") or ""
        if field.startswith(_LABELS) or (field and "." in field and "/" in field):
            yield PriceRow(field.removeprefix(_LABELS), row.get(_ID) or "", region, price)
        if row.get(_TYPE):
            yield PriceRow(MACHINE_TYPE_LABEL, row[_TYPE], region, price)
