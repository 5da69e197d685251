"""Choosing a machine for a node pool.

Choosing a machine is an edit: its numbers are copied into the pool, and the plan no longer depends on the catalogue.
What the user typed in stays: prices, scratch space, reservations, a zone.
"""

from collections.abc import Mapping

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.edits.edit import insert_at, replace_at, replace_many
from planner.plan.edits.machine_catalogue import Machine, MachineCatalogue
from planner.plan.model.kubelet import KubeletSettings, ReservationPreset
from planner.plan.model.node_groups import ZONE_LABEL, NodeGroup, ZoneMode
from planner.plan.model.plan import Plan
from planner.plan.values.money import same_currency

_GPU = "nvidia.com/gpu"
Fields = dict[str, object]


def with_machine_at(
    plan: Plan, pool: int, machine: Machine, catalogue: MachineCatalogue, zones: tuple[str, ...] = ()
) -> Plan:
    """The plan with a pool made of these machines: all that its nodes then have, and prices unless others were typed.

    `pool`: its position. `zones`: new zones of the pool; without any a pool that has none gets the provider's. A price
    counts as typed unless it is 0 or that of the machine the pool named so far. Prices of another currency than the
    plan's are left out. Raises PlanProblem.
    """
    group = plan.node_groups[pool]
    before = catalogue.named(group.machine_type) if group.machine_type else None
    prices = _prices(group, machine, before) if has_prices_for(plan, catalogue) else {}
    fields = {
        "machine_type": machine.name,
        "cpu": machine.cpu,
        "memory": machine.memory,
        "pods": machine.pods,
        **_extended(group, machine, before),
        **_scratch(group, catalogue, machine, before),
        **_kubelet(group, catalogue, machine, before),
        **_place(group, catalogue, machine, before, zones),
    }
    changed = replace_many(plan, ("node_groups", pool), fields | prices)
    return _with_gpu_label(changed, machine)


def with_new_pool(
    plan: Plan, name: str, machine: Machine, catalogue: MachineCatalogue, zones: tuple[str, ...] = ()
) -> Plan:
    """The plan with one more pool, made of these machines, as `with_machine_at`. Raises PlanProblem."""
    at = len(plan.node_groups)
    begun = insert_at(plan, ("node_groups", at), {"name": name, "cpu": machine.cpu, "memory": machine.memory})
    return with_machine_at(begun, at, machine, catalogue, zones)


def with_machine(
    plan: Plan,
    pool: str,
    machine: Machine,
    catalogue: MachineCatalogue,
    *,
    add: bool = False,
    zones: tuple[str, ...] = (),
) -> Plan:
    """The plan with a pool made of such machines; `add`: the pool is new; `zones`: its zones from now on.

    Raises PlanProblem.
    """
    names = [group.name for group in plan.node_groups]
    if pool in names and add:
        raise PlanProblem(
            "nodeGroups", tr("There is a node pool {name!r} already.", name=pool), tr("Leave --add out to change it.")
        )
    if pool in names:
        return with_machine_at(plan, names.index(pool), machine, catalogue, zones)
    if not add:
        remedy = (
            tr("Choose one of {names}, or add it with --add.", names=", ".join(names[:20]))
            if names
            else tr("Add it with --add.")
        )
        raise PlanProblem("nodeGroups", tr("There is no node pool {name!r}.", name=pool), remedy)
    return with_new_pool(plan, pool, machine, catalogue, zones)


def has_prices_for(plan: Plan, catalogue: MachineCatalogue) -> bool:
    """Whether the catalogue's prices are in the plan's currency."""
    return same_currency(catalogue.currency, plan.costs.currency)


def is_priced_as(group: NodeGroup, machine: Machine) -> bool:
    """Whether the pool has this machine's prices, that is, none were typed in."""
    return machine.price_per_hour == group.price_per_hour and group.pricing.spot_price_per_hour in (
        0.0,
        machine.spot_price_per_hour,
    )


def _extended(group: NodeGroup, machine: Machine, before: Machine | None) -> Fields:
    """Those of the machine; the ones that came from the machine before go."""
    old = before.extended if before else {}
    kept = {name: amount for name, amount in group.extended.items() if old.get(name) != amount}
    return {"extended": {**kept, **machine.extended}} if kept or group.extended or machine.extended else {}


def _scratch(group: NodeGroup, catalogue: MachineCatalogue, machine: Machine, before: Machine | None) -> Fields:
    known = (0, catalogue.scratch_of(before) if before else 0)
    return {"ephemeral_storage": catalogue.scratch_of(machine)} if group.ephemeral_storage in known else {}


def _kubelet(group: NodeGroup, catalogue: MachineCatalogue, machine: Machine, before: Machine | None) -> Fields:
    """The reservations of the managed service; a pool with plain reserves of its own keeps them."""
    service = catalogue.provider_of(machine).service
    if service is ReservationPreset.NONE or (group.kubelet is None and (group.reserved_cpu or group.reserved_memory)):
        return {}
    settings: Fields = {"preset": service}
    kubelet = group.kubelet or KubeletSettings()
    if kubelet.disk in (KubeletSettings().disk, catalogue.disk_of(before) if before else 0):
        settings["disk"] = catalogue.disk_of(machine)
    if kubelet.kube_reserved_cpu in (0, before.reserved_cpu if before else 0) and (
        kubelet.kube_reserved_cpu or machine.reserved_cpu
    ):
        settings["kube_reserved_cpu"] = machine.reserved_cpu
    return {"kubelet": kubelet.model_copy(update=settings)}


def _place(
    group: NodeGroup, catalogue: MachineCatalogue, machine: Machine, before: Machine | None, zones: tuple[str, ...]
) -> Fields:
    """Zones and labels of the nodes."""
    found: Fields = {}
    zone = group.zones[0].name if group.zones else group.zone or group.labels.get(ZONE_LABEL, "")
    if zones:
        zone = zones[0]
        several = [{"name": name} for name in zones] if len(zones) > 1 else []
        found = {"zone": "" if several else zone, "zones": several}
        if several:
            found["zone_mode"] = ZoneMode.PER_ZONE
    elif not zone:
        zone = catalogue.provider_of(machine).zone
        found = {"zone": zone} if zone else {}
    old: Mapping[str, str] = catalogue.labels_of(before, zone) if before else {}
    kept = {key: value for key, value in group.labels.items() if key not in old}
    return found | {"labels": kept | catalogue.labels_of(machine, zone)}


def _prices(group: NodeGroup, machine: Machine, before: Machine | None) -> Fields:
    """The machine's prices as fields of the pool, the rest of its pricing stays; nothing if they were typed in."""
    is_free = group.price_per_hour == 0.0 and group.pricing.spot_price_per_hour == 0.0
    if not is_free and (before is None or not is_priced_as(group, before)):
        return {}
    found: Fields = {"price_per_hour": machine.price_per_hour}
    if machine.spot_price_per_hour != group.pricing.spot_price_per_hour:
        spot = {"spot_price_per_hour": machine.spot_price_per_hour}
        found["pricing"] = group.pricing.model_copy(update=spot)
    return found


def _with_gpu_label(plan: Plan, machine: Machine) -> Plan:
    """The autoscaler looks for the label by which the cloud marks GPU nodes, unless a pool has the one it looks for."""
    label = plan.cluster_autoscaler.gpu_label
    if _GPU not in machine.extended or not machine.labels or any(label in each.labels for each in plan.node_groups):
        return plan
    return replace_at(plan, ("cluster_autoscaler", "gpu_label"), next(iter(machine.labels)))
