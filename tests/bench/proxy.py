"""The yardstick of the machine's speed: CPU seconds of a fixed plain Python loop."""

import resource
import subprocess
import sys

# At module level on purpose: inside a function the same loop runs about twice as fast.
LOOP = "s=0\nfor i in range(30_000_000): s+=i"


def proxy_s() -> float:
    """CPU seconds (user and system) that a new Python process needs for the loop."""
    before = _children_cpu_s()
    subprocess.run([sys.executable, "-c", LOOP], check=True)
    return _children_cpu_s() - before


def _children_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
