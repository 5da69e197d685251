"""What a server may answer besides series: each has a clear error."""

import base64
import json
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from planner import cli
from planner.errors import MeasuredProblem
from planner.measured.prometheus.access import Access, access_from
from planner.measured.prometheus.fetching import Wanted, fetched
from planner.measured.prometheus.server import PrometheusServer
from planner.measured.quantities import Quantity
from planner.measured.reading import read_measured
from planner.plan.files.io import load_plan
from tests.builders import a_plan, a_workload

PLAN = a_plan(workloads=(a_workload("shop"),))
WINDOW = Wanted(since_s=600.0, to_s=6000.0)


def good(path, query):
    """A server that knows the ready pods of one Deployment."""
    if path == "label/__name__/values":
        return 200, {"status": "success", "data": ["kube_deployment_status_replicas_ready", "up"]}
    start, end, step = (int(query[name]) for name in ("start", "end", "step"))
    values = [[at, "3"] for at in range(start, end + 1, step)]
    result = [{"metric": {"namespace": "default", "deployment": "shop"}, "values": values}]
    return 200, {"status": "success", "data": {"resultType": "matrix", "result": result}}


class StandIn:
    """A server that answers as a function says."""

    def __init__(self):
        self.answer = good
        self.requests = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                path, _, query = self.path.partition("?")
                length = int(self.headers.get("Content-Length") or 0)
                query = query or self.rfile.read(length).decode()
                given = dict(urllib.parse.parse_qsl(query))
                outer.requests.append((path, given, self.headers.get("Authorization")))
                code, body = outer.answer(path.removeprefix("/api/v1/"), given)
                self.send_response(code)
                if 300 <= code < 400:
                    self.send_header("Location", body)
                    body = ""
                text = body if isinstance(body, str) else json.dumps(body)
                self.end_headers()
                self.wfile.write(text.encode())

            do_POST = do_GET

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def stand_in():
    server = StandIn()
    yield server
    server.server.shutdown()
    server.server.server_close()


def ask(stand_in, wanted=WINDOW, access=Access()):  # noqa: B008 (a tuple without state)
    return fetched(PrometheusServer(stand_in.url, access, timeout_s=5), PLAN, wanted)


def test_series_are_asked_for_and_matched(stand_in):
    measured = ask(stand_in)
    assert list(measured.course(Quantity.READY, "shop")) == [3.0] * 10
    assert (measured.start_s, measured.end_s) == (5400, 6000)


def test_the_login_comes_from_the_environment(stand_in, tmp_path):
    secret = tmp_path / "password"
    secret.write_text("s3cret\n")
    basic = access_from({"HEADROOM_PROMETHEUS_USER": "ann", "HEADROOM_PROMETHEUS_PASSWORD_FILE": str(secret)})
    ask(stand_in, access=basic)
    ask(stand_in, access=access_from({"HEADROOM_PROMETHEUS_TOKEN": "abc"}))
    sent = {header for _, _, header in stand_in.requests}
    assert sent == {"Basic " + base64.b64encode(b"ann:s3cret").decode(), "Bearer abc"}


@pytest.mark.parametrize(
    ("environment", "problem"),
    [
        ({"HEADROOM_PROMETHEUS_TOKEN": "a", "HEADROOM_PROMETHEUS_USER": "b"}, "both set"),
        ({"HEADROOM_PROMETHEUS_TOKEN_FILE": "no-such-file"}, "cannot be read"),
        ({"HEADROOM_PROMETHEUS_CA": "no-such-file"}, "certificates cannot be used"),
    ],
)
def test_a_login_that_cannot_be_used_is_refused(environment, problem):
    with pytest.raises(MeasuredProblem, match=problem):
        access_from(environment)


def names_only(*names):
    return lambda path, query: (200, {"status": "success", "data": list(names)})


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        pytest.param(lambda *_: (401, "who are you"), "wants a login", id="unauthorised"),
        pytest.param(lambda *_: (302, "https://login.example.org/"), "sends elsewhere", id="a redirect to a login"),
        pytest.param(lambda *_: (200, "<html>Sign in</html>"), "does not answer as Prometheus", id="a web page"),
        pytest.param(lambda *_: (200, '{"status":"success","da'), "does not answer as Prometheus", id="half a JSON"),
        pytest.param(lambda *_: (500, {"error": "disk gone"}), "disk gone", id="a failing server"),
        pytest.param(names_only("weird_total", "up"), "it has weird_total, up", id="unknown metrics"),
        pytest.param(names_only(), "no metrics at all", id="no metrics"),
    ],
)
def test_what_is_no_prometheus_is_refused(stand_in, answer, problem):
    stand_in.answer = answer
    with pytest.raises(MeasuredProblem, match=problem) as found:
        ask(stand_in)
    assert found.value.remedy


def test_half_of_an_answer_is_refused(stand_in):
    def half(path, query):
        code, body = good(path, query)
        return code, json.dumps(body)[:-40] if path == "query_range" else body

    stand_in.answer = half
    with pytest.raises(MeasuredProblem, match="ends in the middle"):
        ask(stand_in)


def test_a_server_that_is_not_there_is_an_error_with_its_address(stand_in):
    gone = PrometheusServer("http://127.0.0.1:1", Access(), timeout_s=5)
    with pytest.raises(MeasuredProblem, match="127.0.0.1:1: The server cannot be reached"):
        fetched(gone, PLAN, WINDOW)


@pytest.mark.parametrize("url", ["prometheus", "ftp://a", "http://ann:s3cret@a"])
def test_an_address_that_cannot_be_used_is_refused_without_showing_a_password(url):
    with pytest.raises(MeasuredProblem) as found:
        PrometheusServer(url, Access())
    assert "s3cret" not in str(found.value)


def test_a_window_that_is_too_long_for_the_server_is_asked_for_in_parts(stand_in):
    def strict(path, query):
        if path == "query_range" and int(query["end"]) - int(query["start"]) > 120:
            return 422, {"status": "error", "error": "query processing would load too many samples into memory"}
        return good(path, query)

    stand_in.answer = strict
    assert list(ask(stand_in).course(Quantity.READY, "shop")) == [3.0] * 10


def test_the_window_ends_at_the_time_of_the_server(stand_in):
    def with_time(path, query):
        now = {"status": "success", "data": {"resultType": "scalar", "result": [1800.0, "1800"]}}
        return (200, now) if path == "query" else good(path, query)

    stand_in.answer = with_time
    assert ask(stand_in, Wanted(since_s=600.0)).end_s == 1800


def test_a_metric_of_requests_that_is_not_there_is_an_error_that_lists_what_is(stand_in):
    stand_in.answer = names_only("http_requests_total", "up")
    with pytest.raises(MeasuredProblem, match="no metric istio_requests_total. It has http_requests_total"):
        ask(stand_in, WINDOW._replace(requests="istio_requests_total"))


def test_an_import_measures_what_it_imports(stand_in, tmp_path):
    manifest = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "shop"}}
    manifest["spec"] = {"replicas": 2, "template": {"spec": {"containers": [{"name": "main"}]}}}
    (tmp_path / "shop.json").write_text(json.dumps(manifest))
    window = ["--from", "1970-01-01T01:30:00Z", "--to", "1970-01-01T01:40:00Z"]
    given = [str(tmp_path / "shop.json"), "-o", str(tmp_path / "plan.headroom"), "--prometheus", stand_in.url, *window]
    assert cli.main(["import", *given]) == 0
    measured = read_measured(str(tmp_path / "plan.measured.json.gz"), load_plan(tmp_path / "plan.headroom"))
    assert list(measured.course(Quantity.READY, "shop")) == [3.0] * 10
