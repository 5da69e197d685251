"""Manifests come into the window and leave it."""

import shutil

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from planner import api
from planner.plan.edits.edit import replace_at
from tests.ui.shell.conftest import FLASH_SALE
from ui.transfer.manifest_reading import is_manifest_file, is_manifest_text
from ui.widgets.message_bar import MessageKind

SHOP = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: cart, namespace: shop}
spec:
  replicas: 3
  selector: {matchLabels: {app: cart}}
  template:
    metadata: {labels: {app: cart}}
    spec:
      containers:
      - name: cart
        resources: {requests: {cpu: 250m, memory: 256Mi}}
---
apiVersion: v1
kind: Node
metadata: {name: node-1, labels: {topology.kubernetes.io/zone: a, node.kubernetes.io/instance-type: m5.large}}
status:
  capacity: {cpu: "2", memory: 8Gi, pods: "29"}
  allocatable: {cpu: "1930m", memory: 7Gi, pods: "29"}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: unknown}
"""


@pytest.fixture
def manifests(tmp_path):
    folder = tmp_path / "cluster"
    folder.mkdir()
    (folder / "shop.yaml").write_text(SHOP)
    return folder


def review_of(window, qtbot):
    qtbot.waitUntil(lambda: window.manifests.manifests.review is not None)
    return window.manifests.manifests.review


def drop(window, *paths):
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    for event in (
        QDragEnterEvent(QPoint(50, 50), Qt.DropAction.CopyAction, files, buttons, keys),
        QDropEvent(QPointF(50, 50), Qt.DropAction.CopyAction, files, buttons, keys),
    ):
        QApplication.sendEvent(window, event)


def names(plan):
    return [one.name for one in plan.workloads]


def from_files(window, answers, folder):
    answers.manifests = [folder / "shop.yaml"]
    window.manifests.files.trigger()


def from_folder(window, answers, folder):
    answers.folder = folder
    window.start.import_folder_wanted.emit()


def from_drop(window, answers, folder):
    drop(window, folder)


def from_clipboard(window, answers, folder):
    QGuiApplication.clipboard().setText(SHOP)
    window.start.import_pasted_wanted.emit()


@pytest.mark.parametrize("way", [from_files, from_folder, from_drop, from_clipboard])
def test_every_way_to_import_shows_what_was_read_and_left_out_and_can_be_undone(window, answers, manifests, qtbot, way):
    way(window, answers, manifests)
    review = review_of(window, qtbot)
    assert "1 node in 1 node pool, 3 pods of 1 workload" in review.summary.text()
    assert any("Widget" in cell.text for row in review.notes.rows for cell in row)
    assert window.pages.is_at_start and not review.merge_button.isVisibleTo(review)
    review.new_button.click()
    assert not window.pages.is_at_start and names(window.document.plan) == ["cart"]
    assert window.document.modified and window.document.path is None
    assert [one.text for one in window.messages.messages] == ["The import is part of the plan. Undo takes it back."]
    window.actions_.undo.trigger()
    assert names(window.document.plan) == [] and not window.messages.messages


def test_what_is_wrong_with_pasted_text_is_said_of_it(window, qtbot):
    QGuiApplication.clipboard().setText(
        f"{SHOP}\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: x}}\nspec: 7"
    )
    window.start.import_pasted_wanted.emit()
    review = review_of(window, qtbot)
    places = [row[1].text for row in review.notes.rows if row[0].text == "skipped"]
    assert places and all(place.startswith("pasted text, document ") for place in places)
    assert review.tabs.widget(1).wordWrap()


SIZED = """
apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: {name: cart, namespace: shop}
spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: cart}}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: cart, namespace: shop}
spec:
  scaleTargetRef: {name: cart}
  triggers:
  - {type: cron, metadata: {timezone: UTC, start: 0 8 * * *, end: 0 18 * * *, desiredReplicas: "5"}}
"""


def test_a_review_counts_autoscalers_of_every_kind(window, answers, manifests, qtbot):
    (manifests / "sized.yaml").write_text(SIZED)
    from_folder(window, answers, manifests)
    assert ", 1 autoscaler (VPA), 1 ScaledObject" in review_of(window, qtbot).summary.text()


def test_prices_and_sizes_of_pools_are_completed_before_the_import_is_taken(window, answers, manifests, qtbot):
    from_files(window, answers, manifests)
    review = review_of(window, qtbot)
    table = review.pools.table
    table.item(0, 6).setText("0.096")
    table.item(0, 5).setText("12")
    table.item(0, 4).setText("2")
    assert not review.pools.problem.text()
    review.new_button.click()
    pool = window.document.plan.node_groups[0]
    assert (pool.price_per_hour, pool.min_size, pool.max_size) == (0.096, 2, 12)


def test_return_in_the_table_of_pools_edits_the_cell_and_takes_nothing_over(window, answers, manifests, qtbot):
    before = window.document.plan
    from_files(window, answers, manifests)
    review = review_of(window, qtbot)
    table = review.pools.table
    table.setCurrentCell(0, 5)
    QTest.keyClick(table, Qt.Key.Key_Return)
    line = table.findChild(QLineEdit)
    assert line is not None and review.isVisible()
    line.setText("31")
    QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: review.plan.node_groups[0].max_size == 31)
    assert review.isVisible() and window.document.plan is before
    table.setCurrentCell(0, 0)
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert review.isVisible() and window.document.plan is before


@pytest.mark.parametrize(
    ("column", "text", "problem"),
    [(6, "10 cents", "'10 cents' is not a number"), (6, "-1", "0"), (4, "a few", "'a few' is not a whole number")],
)
def test_a_wrong_price_or_size_is_said_at_its_cell_and_is_not_dropped(
    window, answers, manifests, qtbot, column, text, problem
):
    before = window.document.plan
    from_files(window, answers, manifests)
    review = review_of(window, qtbot)
    review.tabs.setCurrentIndex(1)
    table = review.pools.table
    table.item(0, column).setText(text)
    assert table.item(0, column).text() == text
    assert problem in review.pools.problem.text() and problem in table.item(0, column).toolTip()
    review.new_button.click()
    assert window.document.plan is before and review.tabs.currentWidget() is review.pools
    assert (table.currentRow(), table.currentColumn()) == (0, column)
    table.item(0, column).setText("1")
    assert not review.pools.problem.text() and not table.item(0, column).toolTip()
    review.new_button.click()
    assert window.document.plan is not before


def test_an_import_is_added_to_the_open_plan_and_keeps_what_manifests_cannot_say(window, answers, manifests, qtbot):
    window.start.sample_chosen.emit(FLASH_SALE)
    before = window.document.plan
    from_files(window, answers, manifests)
    review = review_of(window, qtbot)
    assert "2 new, 0 changed, 0 the same" in review.difference.text()
    review.merge_button.click()
    assert names(window.document.plan) == [*names(before), "cart"]
    plan = replace_at(window.document.plan, ("workloads", len(before.workloads), "startup_cpu"), 500)
    window.document.apply(plan, "Say how it starts")
    (manifests / "shop.yaml").write_text(SHOP.replace("replicas: 3", "replicas: 5"))
    from_files(window, answers, manifests)
    qtbot.waitUntil(lambda: "1 changed" in review_of(window, qtbot).difference.text())
    window.manifests.manifests.review.merge_button.click()
    cart = window.document.plan.workloads[-1]
    assert (cart.replicas, cart.startup_cpu, len(names(window.document.plan))) == (5, 500, len(before.workloads) + 1)
    window.actions_.undo.trigger()
    assert window.document.plan == plan


AUTOSCALER = """
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: cart, namespace: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: cart}
  minReplicas: 2
  maxReplicas: 9
"""


def test_a_review_names_changes_as_the_tables_do_and_counts_one_thing_in_the_singular(
    window, answers, manifests, qtbot
):
    (manifests / "shop.yaml").write_text(SHOP + AUTOSCALER)
    from_files(window, answers, manifests)
    review_of(window, qtbot).new_button.click()
    (manifests / "shop.yaml").write_text(SHOP.replace("replicas: 3", "replicas: 5") + AUTOSCALER)
    from_files(window, answers, manifests)
    qtbot.waitUntil(lambda: "1 changed" in review_of(window, qtbot).difference.text())
    review = review_of(window, qtbot)
    assert ", 1 autoscaler (HPA)" in review.summary.text()
    assert [tuple(cell.text for cell in row) for row in review.changes.rows] == [
        ("Workloads · cart · Replicas", "3", "5")
    ]
    (manifests / "shop.yaml").write_text(SHOP.replace("- name: cart", "- name: main") + AUTOSCALER)
    from_files(window, answers, manifests)
    qtbot.waitUntil(lambda: len(review_of(window, qtbot).changes.rows) == 2)
    assert [tuple(cell.text for cell in row) for row in review_of(window, qtbot).changes.rows] == [
        ("Workloads · cart · Pod · Containers · cart", "", "removed"),
        ("Workloads · cart · Pod · Containers · main", "", "new"),
    ]
    (manifests / "shop.yaml").write_text(SHOP.replace("name: cart", "name: till"))
    from_files(window, answers, manifests)
    qtbot.waitUntil(lambda: "1 new" in review_of(window, qtbot).difference.text())
    assert [tuple(cell.text for cell in row) for row in review_of(window, qtbot).changes.rows] == [
        ("Workloads · till", "", "new"),
        ("Workloads · cart", "stays in the plan", "not in the import"),
        ("Horizontal pod autoscalers · cart", "stays in the plan", "not in the import"),
    ]


def test_a_new_plan_from_an_import_leaves_the_file_of_the_open_one_alone(window, answers, manifests, tmp_path, qtbot):
    path = shutil.copy(FLASH_SALE, tmp_path / "shop.headroom")
    window.open_path(path)
    from_files(window, answers, manifests)
    review_of(window, qtbot).new_button.click()
    assert window.document.path is None and names(window.document.plan) == ["cart"]


def test_manifests_pasted_into_a_table_are_recognised(window, qtbot):
    window.start.sample_chosen.emit(FLASH_SALE)
    QGuiApplication.clipboard().setText(SHOP)
    window.workspace.editor.actions_of_rows.paste.trigger()
    assert "1 workload" in review_of(window, qtbot).summary.text()


def test_objects_without_nodes_are_meant_for_the_open_plan_and_shown_where_they_come_to_be(window, qtbot):
    window.start.sample_chosen.emit(FLASH_SALE)
    window.pages.show_page(window.workspace.plan_space)
    editor = window.workspace.editor
    QGuiApplication.clipboard().setText(SHOP.partition("---")[0])
    editor.actions_of_rows.paste.trigger()
    review = review_of(window, qtbot)
    assert review.merge_button.isDefault() and not review.new_button.isDefault()
    review.merge_button.click()
    assert window.pages.shown is window.workspace.plan_space
    assert (editor.section.key, window.document.plan.workloads[editor.row].name) == ("workloads", "cart")


def test_what_cannot_be_imported_is_said_with_place_and_cure(window, answers, tmp_path, qtbot):
    bad = tmp_path / "bad.yaml"
    bad.write_text("a: [1, 2")
    answers.manifests = [bad]
    window.manifests.files.trigger()
    qtbot.waitUntil(lambda: window.messages.messages[0].kind is MessageKind.ERROR)
    assert "bad.yaml" in window.messages.messages[0].remedy
    QGuiApplication.clipboard().setText("no manifest")
    window.manifests.pasted.trigger()
    assert "kubectl" in window.messages.messages[0].remedy


def test_the_plan_is_written_as_manifests_that_say_what_they_cannot_hold(window, answers, tmp_path, qtbot):
    window.start.sample_chosen.emit(FLASH_SALE)
    answers.folder = tmp_path / "out"
    window.exports.actions_["manifests"].trigger()
    qtbot.waitUntil(lambda: bool(window.messages.messages))
    message = window.messages.messages[0]
    assert message.kind is MessageKind.GOOD and "Manifests cannot express" in message.text
    again = api.import_plan([str(answers.folder)]).plan
    assert sorted(names(again)) == sorted(names(window.document.plan))


def test_the_manifest_of_an_object_is_shown_beside_its_form_and_copied(window, qtbot):
    window.start.sample_chosen.emit(FLASH_SALE)
    editor = window.workspace.editor
    editor.show_place("workloads[1]")
    editor.yaml.switch.click()
    assert "kind: Deployment" in editor.yaml.text.toPlainText() and not editor.form.isVisible()
    plan = replace_at(window.document.plan, ("workloads", 1, "replicas"), 7)
    window.document.apply(plan, "Seven")
    assert "replicas: 7" in editor.yaml.text.toPlainText()
    editor.yaml.copy.click()
    assert QGuiApplication.clipboard().text() == editor.yaml.text.toPlainText()
    editor.show_place("simulation.seed")
    assert editor.form.isVisible() and not editor.yaml.switch.isVisible()


@pytest.mark.parametrize(("name", "content", "expected"), [
    ("a.yaml", "kind: Pod", True), ("a.json", '{"kind": "List"}', True), ("trace.csv", "a,b", True),
    ("a.json", '{"schemaVersion": 1}', False), ("a.headroom", "not json", False), ("missing.yaml", None, False),
])  # fmt: skip
def test_files_are_told_apart(tmp_path, name, content, expected):
    if content is not None:
        (tmp_path / name).write_text(content)
    assert is_manifest_file(tmp_path / name) is expected
    assert is_manifest_file(tmp_path)


def test_texts_are_told_apart():
    assert is_manifest_text(SHOP) and not is_manifest_text("name\tapiVersion\tkind\n") and not is_manifest_text("")


def test_an_import_that_waits_follows_the_open_plan_and_gives_way_to_the_next(window, manifests, qtbot):
    """Both windows can be worked in; what is added to the plan is added to the one that is open by then."""
    drop(window, manifests)
    first = review_of(window, qtbot)
    assert not first.merge_button.isVisibleTo(first) and not first.tabs.isTabVisible(2)
    drop(window, FLASH_SALE)
    qtbot.waitUntil(lambda: not window.pages.is_at_start)
    assert names(window.document.plan) == ["node-agent", "shop", "back-office"]
    assert first.merge_button.isVisibleTo(first) and first.tabs.isTabVisible(2)
    assert first.tabs.tabText(2) == "Changes of the open plan (2)"
    assert first.difference.text().startswith("Objects beside those of the open plan: 2 new, 0 changed")
    shop = window.document.plan.workloads[1].model_copy(update={"name": "cart", "namespace": "shop", "replicas": 7})
    window.document.apply(replace_at(window.document.plan, ("workloads", 1), shop), "rename")
    assert "1 new, 1 changed" in first.difference.text()
    with qtbot.waitSignal(first.finished):
        drop(window, manifests)
    second = review_of(window, qtbot)
    assert second is not first
    second.merge_button.click()
    assert names(window.document.plan) == ["node-agent", "cart", "back-office"]
    assert window.manifests.manifests.review is None


def test_manifests_among_other_dropped_files_are_imported_and_the_others_named(window, manifests, qtbot):
    notes = manifests / "README.md"
    notes.write_text("# Shop")
    drop(window, notes, manifests / "shop.yaml")
    review_of(window, qtbot)
    assert any("README.md" in message.text for message in window.messages.messages)
    assert not any("was not opened" in message.text for message in window.messages.messages)
