"""The import of public manifests, tried with repositories made here: from a forge, from mirrors, and without either."""

import subprocess

import pytest
import yaml

from tests.planner.kube.manifests import a_deployment, a_node
from tests.public_manifests.__main__ import main
from tests.public_manifests.manifest_sets import LIST, ManifestSet, manifest_sets

FILES = {
    "deploy/web.yaml": yaml.safe_dump(a_deployment()),
    "deploy/nodes.json": yaml.safe_dump(a_node("n"), default_flow_style=True),
    "deploy/values.yaml": "image: web\n",
    "deploy/.hidden/other.yaml": yaml.safe_dump(a_deployment("other")),
    "deploy/notes.md": "# Notes\n",
    "elsewhere/api.yaml": yaml.safe_dump(a_deployment("api")),
    "charts/values.yaml": "replicas: 2\n",
}


@pytest.fixture
def forge(tmp_path):
    """A folder with one repository, and its newest commit."""
    folder = tmp_path / "forge" / "shop" / "web"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    for words in (("init", "-q"), ("add", "-A"), (*who, "commit", "-q", "-m", "All")):
        subprocess.run(["git", "-C", str(folder), *words], check=True)
    head = subprocess.run(["git", "-C", str(folder), "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    return tmp_path / "forge", head.stdout.strip()


def listed(tmp_path, *lines):
    path = tmp_path / "sets.txt"
    path.write_text("\n".join(lines))
    return str(path)


@pytest.mark.parametrize("option", ["--mirror", "--forge"])
def test_a_set_is_brought_imported_and_written_down(option, forge, tmp_path):
    place, commit = forge
    page = tmp_path / "page.md"
    sets = listed(tmp_path, "# a comment", f"shop/web {commit} deploy", f"shop/web {commit} elsewhere/api.yaml")
    where = str(place) if option == "--mirror" else place.as_uri()
    assert main([option, where, "--list", sets, "--write", str(page)]) == 0
    text = page.read_text()
    assert f"| shop/web | `{commit[:12]}` | `deploy` | 3 | 1 | 1 | 0 | 0 | 1 |" in text
    assert f"| shop/web | `{commit[:12]}` | `elsewhere/api.yaml` | 1 | 0 | 1 | 0 | 0 | 0 |" in text
    assert "2 sets of 1 repositories; refused: none." in text
    assert "| 1 | This has neither apiVersion nor kind, so it is not a manifest. |" in text


def test_a_refused_set_is_a_row_and_a_failure(forge, tmp_path, capsys):
    place, commit = forge
    assert main(["--mirror", str(place), "--list", listed(tmp_path, f"shop/web {commit} charts")]) == 1
    assert "| refused: " in capsys.readouterr().out


def test_without_a_network_the_cure_is_named_and_no_page_is_written(forge, tmp_path, capsys):
    place, commit = forge
    page, sets = tmp_path / "page.md", listed(tmp_path, f"shop/gone {commit} .")
    assert main(["--forge", place.as_uri(), "--list", sets, "--write", str(page)]) == 2
    assert "Connect to the network, or give a folder of mirrors with --mirror." in capsys.readouterr().err
    assert not page.exists()
    assert main(["--mirror", str(place), "--list", sets]) == 2
    assert f"shop/gone is not below {place}." in capsys.readouterr().err


def test_the_list_names_at_least_thirty_repositories_at_whole_commits():
    sets = list(manifest_sets(LIST.read_text()))
    assert len({one.repository for one in sets}) >= 30
    assert all(len(one.commit) == 40 and one.repository.count("/") == 1 for one in sets)
    assert len(set(sets)) == len(sets)


@pytest.mark.parametrize(
    ("path", "name", "taken"),
    [
        pytest.param("deploy", "deploy/a.yaml", True, id="in the folder"),
        pytest.param("deploy", "deployment/a.yaml", False, id="in a folder of a longer name"),
        pytest.param(".", "a/b.YML", True, id="the whole repository"),
        pytest.param(".", ".github/b.yml", False, id="in a hidden folder"),
        pytest.param("deploy/a.yaml", "deploy/a.yaml", True, id="the file itself"),
        pytest.param("deploy", "deploy/a.go", False, id="no manifest by its ending"),
    ],
)
def test_a_set_takes_manifests_of_its_path(path, name, taken):
    assert ManifestSet("a/b", "0" * 40, path).takes(name) == taken
