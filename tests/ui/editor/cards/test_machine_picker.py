"""The machine of a node pool: the card above its form, and the picker."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox

from planner.plan.edits.edit import replace_at
from planner.plan.edits.machine_catalogue import machine_catalogue, own_catalogue_path
from ui.editor.cards.machine_picker import MachinePicker


@pytest.fixture
def card(editor):
    editor.show_place("nodeGroups[0]")
    return editor.form.page.card


@pytest.fixture
def picker(card):
    QTest.mouseClick(card.button, Qt.MouseButton.LeftButton)
    return card.findChild(MachinePicker)


def shown(picker):
    return [picker.rows.index(row, 0).data() for row in range(picker.rows.rowCount())]


def press_ok(picker):
    QTest.mouseClick(picker.buttons.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)


def test_the_picker_lists_the_catalogue_in_order_with_the_date_of_the_prices(picker):
    catalogue = machine_catalogue()
    assert shown(picker) == [machine.name for machine in catalogue.machines]
    assert catalogue.origin in picker.origin.text() and "2026-07-20" in catalogue.origin
    assert "general" in picker.windowTitle()


def test_typing_searches_names_and_providers(picker):
    QTest.keyClicks(picker.words, "azure d8s_v5")
    assert shown(picker) == ["Standard_D8s_v5"]
    picker.words.clear()
    QTest.keyClicks(picker.words, "gpu h100 google")
    assert {name[:10] for name in shown(picker)} == {"a3-highgpu"}
    assert picker.nothing.isHidden()
    QTest.keyClicks(picker.words, "nothing")
    assert shown(picker) == [] and not picker.nothing.isHidden()
    assert not picker.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()


@pytest.mark.parametrize(("machine", "prices"), [
    ("m6a.large", ("0.0864", "0.0354")), ("p4d.24xlarge", ("21.96", "7.246")),
])  # fmt: skip
def test_prices_have_the_digits_that_a_choice_needs(picker, machine, prices):
    row = shown(picker).index(machine)
    assert tuple(picker.rows.index(row, column).data() for column in (7, 8)) == prices


def test_numeric_columns_sort_by_value(picker):
    picker.table.sortByColumn(4, Qt.SortOrder.AscendingOrder)
    cpus = [picker.rows.machine_at(picker.rows.index(row, 0)).cpu for row in range(picker.rows.rowCount())]
    assert cpus == sorted(cpus) and cpus[-1] == 208_000


def test_choosing_a_machine_is_one_undo_step(picker, document, card, hand):
    before = document.plan
    QTest.keyClicks(picker.words, "m6i.2x")
    QTest.keyClick(picker.words, Qt.Key.Key_Return)
    assert hand.value("nodeGroups[0].cpu") == 8000
    assert hand.value("nodeGroups[0].pricePerHour") == 0.384
    assert hand.undo_text() == "Set machine type of general to m6i.2xlarge"
    assert card.summary.text() == "m6i.2xlarge, example prices from 2026-07-20"
    document.apply(replace_at(document.plan, ("node_groups", 0, "price_per_hour"), 0.3), "price")
    assert card.summary.text() == "m6i.2xlarge, your own prices"
    document.apply(replace_at(document.plan, ("node_groups", 0, "price_per_hour"), 0.0), "no price")
    assert card.summary.text() == "m6i.2xlarge, price unknown"
    document.undo_stack.undo()
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert document.plan == before
    assert card.summary.text() == "Custom size"


def test_arrows_move_in_the_table_while_typing(picker, hand):
    for _ in range(2):
        QTest.keyClick(picker.words, Qt.Key.Key_Down)
    press_ok(picker)
    assert hand.value("nodeGroups[0].machineType") == machine_catalogue().machines[2].name


def test_the_current_machine_of_the_pool_is_preselected(document, card):
    document.apply(replace_at(document.plan, ("node_groups", 0, "machine_type"), "g4dn.xlarge"), "type")
    QTest.mouseClick(card.button, Qt.MouseButton.LeftButton)
    picker = card.findChild(MachinePicker)
    [index] = picker.table.selectionModel().selectedRows()
    assert index.data() == "g4dn.xlarge"


def test_escape_changes_nothing(picker, document):
    before = document.plan
    QTest.keyClick(picker, Qt.Key.Key_Escape)
    assert document.plan is before


def test_a_deleted_pool_gets_no_machine(picker, document):
    document.apply(replace_at(document.plan, ("node_groups",), ()), "none")
    press_ok(picker)
    assert document.plan.node_groups == ()


def test_prices_show_their_date_and_source(picker):
    QTest.keyClicks(picker.words, "m6i.large")
    price, spot = (picker.rows.index(0, column).data(Qt.ItemDataRole.ToolTipRole) for column in (7, 8))
    assert price.startswith("2026-07-20: AWS price list") and spot.startswith("2025-07-28: ")


def test_a_newer_catalogue_is_used_from_now_on(card, picker, tmp_path):
    newer = tmp_path / "newer.json"
    newer.write_text(
        '{"version": 2, "currency": "USD", "providers": [{"name": "Mine"}],'
        ' "machines": [{"name": "box", "provider": "Mine", "cpu": "2", "memory": "4Gi"}]}'
    )
    picker.catalogue_chosen.emit(newer)
    assert [machine.name for machine in machine_catalogue().machines] == ["box"]
    assert shown(card.findChildren(MachinePicker)[-1]) == ["box"]


def test_a_broken_catalogue_is_refused_and_the_old_one_stays(picker, editor, tmp_path):
    broken, refused = tmp_path / "broken.json", []
    broken.write_text("[1]")
    editor.edits.refused.connect(refused.append)
    picker.catalogue_chosen.emit(broken)
    assert str(broken) in refused[0] and not own_catalogue_path().exists()


def test_an_invalid_custom_catalogue_is_reported_in_the_editor(card, editor):
    own = own_catalogue_path()
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text("{}", encoding="utf-8")
    refused = []
    editor.edits.refused.connect(refused.append)
    card.choose()
    assert card.findChild(MachinePicker) is None
    assert str(own) in refused[0]
