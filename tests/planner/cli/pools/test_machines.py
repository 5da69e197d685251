"""Commands on machines and node pools."""

import pytest

from planner import cli
from planner.plan.edits.machine_catalogue import machine_catalogue, own_catalogue_path
from planner.plan.files.io import load_plan, save_plan
from tests.builders import a_node_group, a_plan


@pytest.fixture
def plan_path(tmp_path):
    path = tmp_path / "plan.headroom"
    save_plan(a_plan(node_groups=(a_node_group("general"), a_node_group("paid", price_per_hour=0.5))), path)
    return str(path)


def test_machines_are_listed_with_size_price_and_the_date_of_the_prices(capsys):
    assert cli.main(["machines"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:2] == ["MACHINE", "PROVIDER"]
    assert len(lines) == len(machine_catalogue().machines) + 2
    assert lines[-1].startswith("Example prices in USD: AWS us-east-1 of 2026-07-20; Google Cloud us-central1 of")
    shown = ["m6i.xlarge", "AWS", "general", "amd64", "4", "16Gi", "58", "17Gi", "0.192", "0.0864"]
    assert shown in [line.split() for line in lines]


def test_machines_are_found_by_words_of_name_and_provider(capsys):
    assert cli.main(["machines", "google", "N2-highcpu"]) == 0
    rows = capsys.readouterr().out.splitlines()[1:-1]
    assert [row.split()[0] for row in rows] == [f"n2-highcpu-{size}" for size in (4, 8, 16, 32)]


def test_an_unknown_machine_is_bad_input_with_a_remedy(capsys):
    assert cli.main(["machines", "toaster"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "toaster" in shown.err and "providers are AWS, Google Cloud, Azure" in shown.err


def test_the_listed_json_serves_as_the_users_catalogue(capsys):
    assert cli.main(["machines", "azure", "--json"]) == 0
    own = own_catalogue_path()
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text(capsys.readouterr().out, encoding="utf-8")
    assert {machine.provider for machine in machine_catalogue().machines} == {"Azure"}


@pytest.mark.parametrize(("text", "problem"), [
    pytest.param("{", "ends too early", id="no JSON"),
    pytest.param('{"date": "1", "date": "2"}', "machines.json: date", id="a doubled key"),
    pytest.param('{"date": "1", "currency": "EUR", "machines": [{"name": "x"}]}', "machines[0].provider", id="parts"),
    pytest.param('{"date": "1", "currency": "EUR", "machines": []}', "machines", id="empty"),
    pytest.param('{"version": 3}', "machines.json: version: The catalogue has format 3", id="of a newer program"),
    pytest.param(
        '{"version": 2, "currency": "EUR", "providers": [{"name": "A"}],'
        ' "machines": [{"name": "x", "provider": "B", "cpu": "1", "memory": "1Gi"}]}',
        'machines[0].provider: "B" is not one of the providers', id="an unlisted provider",
    ),
])  # fmt: skip
def test_an_error_in_the_users_catalogue_is_reported_with_its_file_and_a_remedy(capsys, text, problem):
    own = own_catalogue_path()
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text(text, encoding="utf-8")
    assert cli.main(["machines"]) == 2
    err = capsys.readouterr().err
    assert err.startswith(str(own)) and problem in err


OLD = (
    '{"date": "2025-06", "currency": "USD", "machines":'
    ' [{"name": "box", "provider": "Mine", "cpu": "2", "memory": "4Gi", "pricePerHour": 0.1}]}'
)


def test_a_catalogue_of_the_first_format_is_still_read_and_a_file_can_be_used_once_or_kept(tmp_path, plan_path, capsys):
    file = tmp_path / "old.json"
    file.write_text(OLD, encoding="utf-8")
    assert cli.main(["machine", plan_path, "general", "box", "--catalogue", str(file)]) == 0
    assert load_plan(plan_path).node_groups[0].price_per_hour == 0.1
    assert machine_catalogue().named("box") is None
    assert cli.main(["machines", "--catalogue", str(file), "--keep"]) == 0
    assert "Mine of 2025-06" in capsys.readouterr().out
    assert machine_catalogue().named("box") is not None
    assert cli.main(["machines", "--keep"]) == 2


def test_a_pool_gets_size_and_price_of_a_machine(plan_path, capsys):
    assert cli.main(["machine", plan_path, "general", "M6i.2xlarge"]) == 0
    pool = load_plan(plan_path).node_groups[0]
    assert (pool.machine_type, pool.cpu, pool.memory, pool.pods) == ("m6i.2xlarge", 8000, 32 << 30, 58)
    assert (pool.price_per_hour, pool.pricing.spot_price_per_hour) == (0.384, 0.16128)
    assert "general has m6i.2xlarge at $0.384 per hour" in capsys.readouterr().out


def test_a_price_typed_by_the_user_is_kept(plan_path):
    assert cli.main(["machine", plan_path, "paid", "m6i.2xlarge"]) == 0
    pool = load_plan(plan_path).node_groups[1]
    assert (pool.cpu, pool.price_per_hour, pool.pricing.spot_price_per_hour) == (8000, 0.5, 0.0)


def test_prices_of_another_currency_are_left_out(tmp_path, capsys):
    path = str(tmp_path / "plan.headroom")
    save_plan(a_plan(costs={"currency": "EUR"}), path)
    assert cli.main(["machine", path, "pool", "m6i.2xlarge"]) == 0
    assert cli.main(["machine", path, "more", "m6i.2xlarge", "--add"]) == 0
    assert [(group.cpu, group.node_price) for group in load_plan(path).node_groups] == [(8000, 0.0), (8000, 0.0)]
    assert "the catalogue uses USD, the plan EUR" in capsys.readouterr().err


def test_a_new_pool_can_be_added(plan_path, tmp_path, capsys):
    new = str(tmp_path / "new.headroom")
    assert cli.main(["machine", plan_path, "gpu", "g4dn.xlarge", "--add", "-o", new]) == 0
    assert [group.name for group in load_plan(plan_path).node_groups] == ["general", "paid"]
    pool = load_plan(new).node_groups[-1]
    assert (pool.name, pool.extended, pool.node_price) == ("gpu", {"nvidia.com/gpu": 1}, 0.526)


@pytest.mark.parametrize(("words", "problem"), [
    pytest.param(["generl", "m6i.large"], "Choose one of general, paid, or add it with --add.", id="unknown pool"),
    pytest.param(["general", "m6i.lrge"], "Did you mean m6i.large?", id="unknown machine"),
    pytest.param(["general", "m6i.large", "--add"], "Leave --add out", id="pool is there already"),
    pytest.param(["No name", "m6i.large", "--add"], "lower case letters", id="no name for a pool"),
])  # fmt: skip
def test_an_impossible_change_is_reported_with_a_remedy_and_changes_nothing(plan_path, capsys, words, problem):
    before = load_plan(plan_path)
    assert cli.main(["machine", plan_path, *words]) == 2
    assert problem in capsys.readouterr().err
    assert load_plan(plan_path) == before


def test_karpenter_gets_types_of_the_catalogue_and_of_a_file(plan_path, tmp_path, capsys):
    assert cli.main(["machine-types", plan_path, "aws", "m6i", "--zone", "a", "--zone", "b"]) == 0
    types = load_plan(plan_path).karpenter.instance_types
    assert {each.name for each in types} == {each.name for each in machine_catalogue().matching("aws m6i")}
    assert {offer.zone for each in types for offer in each.offerings} == {"a", "b"}
    file = tmp_path / "types.json"
    file.write_text('[{"name": "own", "resources": {"cpu": "2", "memory": "4Gi"}}]', encoding="utf-8")
    assert cli.main(["machine-types", plan_path, "--from", str(file)]) == 0
    assert f"1 machine types; Karpenter has {len(types) + 1} to choose from" in capsys.readouterr().out


@pytest.mark.parametrize(("words", "problem"), [
    pytest.param([], "or --from FILE", id="nothing"),
    pytest.param(["aws", "--from", "x.json"], "or --from FILE", id="both"),
    pytest.param(["toaster"], "No machine matches toaster", id="no machine"),
    pytest.param(["--from", "none.json"], "cannot be read", id="no file"),
])  # fmt: skip
def test_types_that_cannot_be_had_are_reported(plan_path, capsys, words, problem):
    assert cli.main(["machine-types", plan_path, *words]) == 2
    assert problem in capsys.readouterr().err


def test_node_groups_become_pools_of_karpenter_and_back(plan_path, tmp_path, capsys):
    there, back = str(tmp_path / "there.headroom"), str(tmp_path / "back.headroom")
    assert cli.main(["convert", plan_path, "--to", "karpenter", "-o", there]) == 0
    assert [pool.initial_nodes[0].count for pool in load_plan(there).karpenter.node_pools] == [1, 1]
    assert [pool.name for pool in load_plan(there).karpenter.node_pools] == ["general", "paid"]
    assert cli.main(["convert", there, "--to", "node-groups", "-o", back]) == 0
    assert "not converted: general: consolidation, budgets and expiry" in capsys.readouterr().err
    assert [group.name for group in load_plan(back).node_groups] == ["general-general-machine", "paid-paid-machine"]
    assert cli.main(["convert", back, "--to", "node-groups"]) == 2
    assert "no node pool of Karpenter" in capsys.readouterr().err
