"""Syntax of label keys and values, and of the taints and resource names that share it."""

import re

_NAME = re.compile(r"[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?", re.ASCII)
_DOMAIN = re.compile(r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*", re.ASCII)
KEY_RULE = "Write [domain/]name: letters, digits, '-', '_', '.', at most 63 characters after the domain."
VALUE_RULE = "Use at most 63 letters, digits, '-', '_', '.', beginning and ending with a letter or digit."


def is_label_key(key: str) -> bool:
    """A qualified name of Kubernetes: an optional DNS domain, a slash, a name of at most 63 characters."""
    domain, slash, name = key.rpartition("/")
    if slash and not (len(domain) <= 253 and _DOMAIN.fullmatch(domain)):
        return False
    return len(name) <= 63 and _NAME.fullmatch(name) is not None


def is_label_value(value: str) -> bool:
    """A label value of Kubernetes: empty, or at most 63 characters of a name."""
    return not value or (len(value) <= 63 and _NAME.fullmatch(value) is not None)


def is_dns_name(name: str) -> bool:
    """A DNS subdomain, as the names of nodes are."""
    return len(name) <= 253 and _DOMAIN.fullmatch(name) is not None
