"""What a report holds, read back from its file."""

import base64
import gzip
import html
import json
import re
from pathlib import Path


def held(text: str, name: str = "data-run") -> bytes:
    """Give the bytes that a page holds under an id."""
    found = re.search(f'id="{name}">([^<]*)<', text)
    assert found is not None, name
    return gzip.decompress(base64.b64decode(found[1]))


def read_document(path: Path) -> dict:
    """Give the document of the run that a page shows; of votes and ratings, their own."""
    document = json.loads(held(Path(path).read_text("utf-8")))
    return document.get("other") or document["page"]


def read_words(path: Path) -> str:
    """Give all text that a page may show: its document, and what it says without a script."""
    text = Path(path).read_text("utf-8")
    still = re.search("<noscript>(.*)</noscript>", text)
    return json.dumps(read_document(path), ensure_ascii=False) + html.unescape(still[1])
