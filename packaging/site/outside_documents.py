"""A hook of MkDocs: documents of the project's root that pages of docs/ link to become pages of the site."""

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

_ROOT = Path(__file__).resolve().parents[2]
_NAMES = ("SCOPE.md",)
_LINK = re.compile(r"\]\((?:\.\./)+(" + "|".join(re.escape(name) for name in _NAMES) + r")")
_LINK_INTO_DOCS = re.compile(r"\]\(docs/")


def on_files(files: Files, config: Any) -> Files:
    """Add the documents to the site, beside what docs/ holds."""
    for name in _NAMES:
        text = _LINK_INTO_DOCS.sub("](", (_ROOT / name).read_text(encoding="utf-8"))
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links that leave docs/ lead to those pages."""
    up = "../" * page.file.src_uri.count("/")
    return _LINK.sub(lambda found: f"]({up}{found[1]}", markdown)
