"""Requests to the HTTP API of a Prometheus (2.42, web/api/v1), or of what answers like one."""

import io
import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPException, HTTPMessage
from typing import IO, Any, TextIO, cast

from planner.errors import MeasuredProblem
from planner.language.translation import marked, tr
from planner.measured.prometheus.access import Access
from planner.plan.files.problems import shown

_TIMEOUT_S = 120
_LONGEST_ERROR = 4096
_LOGIN = marked("Set HEADROOM_PROMETHEUS_TOKEN, or HEADROOM_PROMETHEUS_USER and _PASSWORD.")


class TooMuch(Exception):
    """The server refuses an answer of that size; a shorter range may do."""


class PrometheusServer:
    """A server at an address."""

    def __init__(self, url: str, access: Access, timeout_s: float = _TIMEOUT_S) -> None:
        """Raises MeasuredProblem if the address is none. Nothing is opened yet."""
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            remedy = tr("Give one like https://prometheus.example.org.")
            raise MeasuredProblem("--prometheus", tr("{url} is no address.", url=shown(url)), remedy)
        if parts.username or parts.password:
            raise MeasuredProblem(
                "--prometheus", tr("The address holds a password."), tr("Leave it out. {login}", login=tr(_LOGIN))
            )
        self.name = parts.netloc + parts.path.rstrip("/")
        self._url = f"{parts.scheme}://{self.name}"
        self._access = access
        self._timeout_s = timeout_s
        handlers: list[urllib.request.BaseHandler] = [_NoRedirect()]
        if access.tls is not None:
            handlers.append(urllib.request.HTTPSHandler(context=access.tls))
        self._opener = urllib.request.build_opener(*handlers)

    def value(self, path: str, parameters: Mapping[str, str]) -> Any:
        """The data of an answer that is small. Raises MeasuredProblem."""
        with self.answer(path, parameters) as text:
            body = text.read()
        try:
            answer = json.loads(body)
            return answer["data"]
        except (ValueError, KeyError, TypeError) as error:
            problem = tr("This does not answer as Prometheus does.")
            raise MeasuredProblem(
                self.name, problem, tr("Check the address, and whether a login is needed.")
            ) from error

    @contextmanager
    def answer(self, path: str, parameters: Mapping[str, str]) -> Iterator[TextIO]:
        """Text of an answer, to be read as it comes. Raises MeasuredProblem, and TooMuch if it is too long."""
        body = urllib.parse.urlencode(parameters).encode()
        is_query = path.startswith("query")  # as forms, because queries may be longer than an address
        where = f"{self._url}/api/v1/{path}"
        request = urllib.request.Request(
            where if is_query or not body else f"{where}?{body.decode()}", data=body if is_query else None
        )
        if self._access.header:
            request.add_header("Authorization", self._access.header)
        try:
            with self._opener.open(request, timeout=self._timeout_s) as response:
                yield cast(TextIO, io.TextIOWrapper(response, encoding="utf-8"))
        except urllib.error.HTTPError as error:
            raise self._refused(error) from error
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            problem = tr("The server cannot be reached, or broke off ({reason}).", reason=reason)
            raise MeasuredProblem(self.name, problem, tr("Check the address and the connection.")) from error

    def _refused(self, error: urllib.error.HTTPError) -> Exception:
        text = error.read(_LONGEST_ERROR).decode(errors="replace")
        if error.code in (401, 403):
            return MeasuredProblem(self.name, tr("The server wants a login ({code}).", code=error.code), tr(_LOGIN))
        if 300 <= error.code < 400:
            problem = tr("The server sends elsewhere ({code}), as for a login.", code=error.code)
            return MeasuredProblem(
                self.name, problem, tr("Give the address of Prometheus itself. {login}", login=tr(_LOGIN))
            )
        try:
            said = str(json.loads(text)["error"])
        except (ValueError, KeyError, TypeError):
            said = error.reason
        if "too many samples" in said or "maximum resolution" in said or error.code == 413:
            return TooMuch(said)
        return MeasuredProblem(
            self.name,
            tr("The server refuses the query ({code}: {said}).", code=error.code, said=shown(said)),
            tr("Correct it."),
        )


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the login to whatever server it names."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        return None
