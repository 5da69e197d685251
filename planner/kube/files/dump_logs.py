"""The logs of pods that `kubectl cluster-info dump` prints between its lists (kubectl 1.36, cmd/clusterinfo)."""

import re

_START = "==== START logs for container "
_SECTION = re.compile(rf"^{_START}.*?(?:^==== END logs for container [^\n]*$|\Z)", re.DOTALL | re.MULTILINE)


def without_logs(text: str) -> str:
    """The text with empty lines in the place of logs, so that line numbers stay true."""
    if _START not in text:
        return text
    return _SECTION.sub(lambda section: "\n" * section.group().count("\n"), text)
