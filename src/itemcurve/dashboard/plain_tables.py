"""Tables of pages as plain data: columns with a label, a kind and cells."""

from typing import TYPE_CHECKING, Any

from itemcurve.reports.tables import PageTable, page_table

if TYPE_CHECKING:
    import pandas


def plain_table(table: PageTable) -> dict[str, Any]:
    """Give a table of a page as a document."""
    return {
        "key": table.key,
        "caption": table.caption,
        "total": table.total,
        "columns": [
            {"name": c.name, "label": c.label, "kind": c.kind, "cells": list(c.cells)}
            for c in table.columns
        ],
    }


def plain_frame(frame: "pandas.DataFrame", key: str, caption: str, **kinds: str) -> dict[str, Any]:
    """Give a table of results as a document; `kinds` of columns that do not follow from cells."""
    return plain_table(page_table(frame, key, caption, kinds))
