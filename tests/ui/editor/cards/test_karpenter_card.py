"""Machine types and conversion above the form of Karpenter."""

import json

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QMessageBox

from planner.plan.edits.machine_catalogue import machine_catalogue
from ui.editor.cards.machine_picker import MachinePicker

_ROWS = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows


@pytest.fixture
def card(editor):
    editor.show_place("karpenter")
    return editor.form.page.card


def test_several_machines_of_the_catalogue_become_types_in_one_undo_step(card, document):
    assert "No machine types yet" in card.summary.text()
    card.from_catalogue.trigger()
    picker = card.findChild(MachinePicker)
    assert picker.windowTitle() == "Machine types of Karpenter"
    assert "become machine types of Karpenter" in picker.origin.text()
    QTest.keyClicks(picker.words, "aws m6i")
    for row in range(picker.rows.rowCount()):
        picker.table.selectionModel().select(picker.rows.index(row, 0), _ROWS)
    QTest.mouseClick(picker.buttons.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)
    names = {each.name for each in document.plan.karpenter.instance_types}
    assert names == {each.name for each in machine_catalogue().matching("aws m6i")}
    assert card.summary.text().startswith(f"Machine types: {len(names)}. Zones: 1.")
    document.undo_stack.undo()
    assert document.plan.karpenter.instance_types == ()


def test_machines_are_filtered_by_family_architecture_and_price_and_offered_in_the_zones_that_are_typed(card, document):
    card.from_catalogue.trigger()
    picker = card.findChild(MachinePicker)
    filters = picker.filters
    filters.family.setCurrentIndex(filters.family.findData("general"))
    filters.arch.setCurrentIndex(filters.arch.findData("arm64"))
    filters.price.setValue(0.2)
    found = [picker.rows.machine_at(picker.rows.index(row, 0)) for row in range(picker.rows.rowCount())]
    assert found and {(each.family, each.arch) for each in found} == {("general", "arm64")}
    assert max(each.price_per_hour for each in found) <= 0.2
    filters.zones.setText("us-east-1a, us-east-1c")
    QTest.mouseClick(picker.buttons.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)
    (chosen,) = document.plan.karpenter.instance_types
    assert {offer.zone for offer in chosen.offerings} == {"us-east-1a", "us-east-1c"}


def test_what_cannot_be_a_zone_cannot_be_typed(card):
    card.from_catalogue.trigger()
    zones = card.findChild(MachinePicker).filters.zones
    QTest.keyClicks(zones, "East! $us-east-1a, b_2")
    assert zones.text() == "East us-east-1a, b_2"


def test_a_file_gives_types_and_a_bad_one_a_reason(card, document, editor, tmp_path):
    said = []
    card._link.edits.refused.connect(said.append)
    file = tmp_path / "types.json"
    file.write_text(json.dumps([{"name": "own", "resources": {"cpu": "2", "memory": "4Gi"}}]), encoding="utf-8")
    card.read(file)
    assert [each.name for each in document.plan.karpenter.instance_types] == ["own"]
    file.write_text("[1]", encoding="utf-8")
    card.read(file)
    assert "needs a name and resources" in said[0]


def test_node_groups_become_pools_and_what_is_lost_is_said(card, document):
    card.to_karpenter.trigger()
    assert document.plan.karpenter.node_pools
    assert card.to_groups.isEnabled()
    card.to_groups.trigger()
    box = card.findChild(QMessageBox)
    assert "consolidation, budgets and expiry" in box.informativeText()
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert not document.plan.karpenter.node_pools
