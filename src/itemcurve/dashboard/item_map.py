"""Where items lie: two numbers and a verdict for each of up to a million, in a few bytes."""

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.findings.all_findings import Evidence
from itemcurve.dashboard.plain_tables import plain_table
from itemcurve.reports.sections import count_verdicts
from itemcurve.reports.tables import PageTable, page_table

if TYPE_CHECKING:
    import pandas

_KINDS = {"item": "item", "verdict": "verdict", "place": "hidden"}


def item_map(evidence: Evidence) -> bytes:
    """Give difficulty, discrimination and verdict of all items, in the order of the responses.

    Length of a JSON header (32 bits, little-endian), the header itself padded with spaces to a
    multiple of four, then all first numbers and all second ones as 32-bit floats, then the
    verdicts as bytes: places in the header's `verdicts`.
    """
    (across, up), name = map_places(evidence), _up_name(evidence)
    counts = count_verdicts(evidence)
    words = list(counts)
    codes = np.array([words.index(word) for word in evidence.verdicts["verdict"]], dtype=np.uint8)
    header = {
        "items": len(codes),
        "across": evidence.fit.locations.name,
        "up": name,
        "verdicts": [{"word": word, "items": count} for word, count in counts.items()],
    }
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 4)
    length = np.array([len(text)], dtype="<u4").tobytes()
    return length + text + across.tobytes() + up.tobytes() + codes.tobytes()


def map_places(evidence: Evidence) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Give the two numbers; where all slopes are equal, mean responses tell more than they do."""
    fit, name = evidence.fit, _up_name(evidence)
    up = fit.items[name].to_numpy() if name in fit.items else fit.slopes.values
    return np.asarray(fit.locations.values, dtype="<f4"), np.asarray(up, dtype="<f4")


def _up_name(evidence: Evidence) -> str:
    slopes = evidence.fit.slopes
    return "mean_response" if np.ptp(slopes.values) < 1e-9 else slopes.name


def item_table(
    ranked: "pandas.DataFrame",
    *,
    search: str = "",
    places: NDArray[np.intp] | None = None,
    most: int = 5_000,
) -> dict[str, Any]:
    """Give rows of the table of items, suspect ones first.

    Parameters
    ----------
    ranked : as `rank_items` gives it.
    search : part of a name, in any case.
    places : only these items.
    most : rows at most; `total` says how many there are.
    """
    table = ranked
    if places is not None:
        table = table[table.index.isin(places)]
    if search:
        table = table[table["item"].str.contains(search, case=False, regex=False)]
    kept = table.head(most).copy()
    kept["place"] = kept.index.to_numpy()
    page = page_table(kept, "items", "Items", _KINDS)
    return plain_table(PageTable(page.key, page.caption, page.columns, len(table)))


def inside_polygon(
    across: NDArray[np.float32], up: NDArray[np.float32], corners: NDArray[np.float64]
) -> NDArray[np.intp]:
    """Give the places of points within a polygon: crossed an odd number of times by a ray."""
    is_inside = np.zeros(len(across), dtype=bool)
    x, y = across.astype(float), up.astype(float)
    for (x1, y1), (x2, y2) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if y1 == y2:
            continue
        crosses = (y1 > y) != (y2 > y)
        is_inside ^= crosses & (x < (x2 - x1) * (y - y1) / (y2 - y1) + x1)
    return np.flatnonzero(is_inside)
