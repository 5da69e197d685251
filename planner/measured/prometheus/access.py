"""What the user gives for access to a server, in the environment and never in a plan."""

import os
import ssl
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from planner.errors import MeasuredProblem
from planner.language.translation import tr

_PREFIX = "HEADROOM_PROMETHEUS_"
TOKEN, USER, PASSWORD = f"{_PREFIX}TOKEN", f"{_PREFIX}USER", f"{_PREFIX}PASSWORD"
CA, CERTIFICATE, KEY = f"{_PREFIX}CA", f"{_PREFIX}CERT", f"{_PREFIX}KEY"
_OF_FILE = "_FILE"
"""Behind a name: the variable holds the name of a file with the value."""


class Access(NamedTuple):
    """Header and certificates for requests to a server."""

    header: str = ""
    """Of the field Authorization; empty for none."""
    tls: ssl.SSLContext | None = None
    """None for the certificates of the system."""


def access_from(environment: Mapping[str, str] | None = None) -> Access:
    """What the variables HEADROOM_PROMETHEUS_... say. Raises MeasuredProblem with the variable."""
    given = os.environ if environment is None else environment
    token, user, password = (_value(given, name) for name in (TOKEN, USER, PASSWORD))
    if token and user:
        raise MeasuredProblem(
            TOKEN, tr("{token} and {user} are both set.", token=TOKEN, user=USER), tr("Unset one of them.")
        )
    header = f"Bearer {token}" if token else ""
    if user:
        header = "Basic " + b64encode(f"{user}:{password}".encode()).decode()
    return Access(header, _tls(given))


def _value(given: Mapping[str, str], name: str) -> str:
    if given.get(name):
        return given[name]
    path = given.get(name + _OF_FILE, "")
    if not path:
        return ""
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else tr("it is no text")
        problem = tr("The file {path} cannot be read ({reason}).", path=path, reason=reason)
        raise MeasuredProblem(name + _OF_FILE, problem, tr("Correct the variable.")) from error


def _tls(given: Mapping[str, str]) -> ssl.SSLContext | None:
    ca, certificate, key = (given.get(name) for name in (CA, CERTIFICATE, KEY))
    if not (ca or certificate):
        return None
    try:
        context = ssl.create_default_context(cafile=ca or None)
        if certificate:
            context.load_cert_chain(certificate, key or None)
    except (OSError, ssl.SSLError) as error:
        problem = tr("The certificates cannot be used ({reason}).", reason=error)
        raise MeasuredProblem(CERTIFICATE if certificate else CA, problem, tr("Correct the variables.")) from error
    return context
