"""The built front end: one script, one style sheet, and the page that holds both."""

import base64
import hashlib
from functools import cache
from html import escape
from importlib import resources

from itemcurve import __version__

FOLDER = "assets"
SCRIPT, STYLE = "dashboard.js", "dashboard.css"
_ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
    "%3Cpath d='M1 14C8 14 8 2 15 2' fill='none' stroke='%230072b2' stroke-width='2'/%3E%3C/svg%3E"
)
_WITHOUT = "<p>This page needs JavaScript: tables and pictures are drawn by its own script.</p>"


@cache
def read_asset(name: str) -> str:
    """Give a file of the bundle."""
    return (resources.files("itemcurve.dashboard") / FOLDER / name).read_text("utf-8")


def live_page() -> str:
    """Give the page that asks a server for what it shows."""
    links = (
        '<link rel="icon" href="/favicon.ico">'
        f'<link rel="stylesheet" href="/assets/{STYLE}">'
        f'<script type="module" src="/assets/{SCRIPT}"></script>'
    )
    return _page("itemcurve", links, "")


def frozen_page(title: str, data: dict[str, str], still: str = "") -> str:
    """Give a page that holds all it shows, and loads nothing.

    Parameters
    ----------
    data : by id, text that no reader can mistake for markup: base64.
    still : markup that is shown where scripts do not run.
    """
    script, style = read_asset(SCRIPT), read_asset(STYLE)
    policy = (
        f"default-src 'none'; script-src 'sha256-{_hash(script)}'; "
        f"style-src 'sha256-{_hash(style)}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<link rel="icon" href="{_ICON}"><style>{style}</style>'
    )
    parts = "".join(
        f'<script type="text/plain" id="{name}">{text}</script>' for name, text in data.items()
    )
    return _page(title, head, f'{parts}<script type="module">{script}</script>', still)


def _page(title: str, head: str, end: str, still: str = "") -> str:
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f'<meta name="generator" content="itemcurve {__version__}">'
        f"<title>{escape(title)}</title>{head}</head>"
        f'<body><div id="page"></div><noscript>{still or _WITHOUT}</noscript>{end}</body></html>\n'
    )


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
