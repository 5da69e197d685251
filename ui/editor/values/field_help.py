"""What is said of a field of the plan: its meaning, unit, bounds and default, and what Kubernetes calls it."""

import annotated_types as bounds
from PySide6.QtCore import QCoreApplication

from planner.plan.derived.kubernetes.names import kubernetes_name
from planner.plan.files.places import Path, where_of
from planner.plan.model.plan import Plan
from ui.editor.values.shapes import Shape, ShapeKind
from ui.editor.values.text import plan_text, text_of
from ui.help.context_help import HelpText

translate = QCoreApplication.translate


def kubernetes_name_of(shape: Shape) -> str:
    """The field of an object or the flag; empty for what only the simulation has."""
    return "" if shape.owner is None else kubernetes_name(shape.owner, shape.name)


def field_help(shape: Shape, path: Path) -> HelpText:
    """The help on a field at a path of the plan."""
    default = translate("FieldHelp", "none: it must be given") if shape.required else default_text(shape)
    facts = (
        (translate("FieldHelp", "Unit"), plan_text(shape.unit)),
        (translate("FieldHelp", "Values"), bounds_of(shape)),
        (translate("FieldHelp", "Default"), default),
        (translate("FieldHelp", "Kubernetes"), kubernetes_name_of(shape)),
        (translate("FieldHelp", "In the plan file"), where_of(Plan, path)),
    )
    return HelpText(plan_text(shape.title), plan_text(shape.help), facts)


def help_of(shape: Shape) -> str:
    """The tool tip of a field: what it means, its bounds, its default, what Kubernetes calls it."""
    parts = [plan_text(shape.help), bounds_of(shape)]
    default = "" if shape.required or shape.kind in (ShapeKind.GROUP, ShapeKind.LIST) else default_text(shape)
    if default:
        parts.append(translate("FieldText", "Default: {0}.").format(default))
    name = kubernetes_name_of(shape)
    if name:
        parts.append(translate("FieldText", "Kubernetes: {0}").format(name))
    return " ".join(part for part in parts if part)


def bounds_of(shape: Shape) -> str:
    """The bounds of a field as a sentence for its tool tip; empty if it has none."""
    low = shape.limit(bounds.Ge, "ge")
    above = shape.limit(bounds.Gt, "gt")
    high = shape.limit(bounds.Le, "le")
    spell = shape.spelling.format if shape.spelling else lambda bound: f"{bound:,}".replace(",", "\u202f")
    if low is not None and high is not None:
        return translate("FieldText", "From {0} to {1}.").format(spell(low), spell(high))
    if low is not None:
        return translate("FieldText", "At least {0}.").format(spell(low))
    if above is not None:
        return translate("FieldText", "Above {0}.").format(spell(above))
    return translate("FieldText", "At most {0}.").format(spell(high)) if high is not None else ""


def default_text(shape: Shape) -> str:
    """The default as it is shown; empty for none."""
    if shape.kind is ShapeKind.SWITCH:
        return translate("FieldText", "on") if shape.default else translate("FieldText", "off")
    return (
        text_of(shape, shape.default)
        if shape.kind not in (ShapeKind.GROUP, ShapeKind.LIST, ShapeKind.MAP, ShapeKind.VARIANT)
        else ""
    )
