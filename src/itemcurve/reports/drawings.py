"""Pictures that need no script: lines and bars as plain SVG, coloured by the page's style."""

from dataclasses import dataclass

import numpy as np

from itemcurve.analysis.curves.wright_map import WrightMap
from itemcurve.numerics.engine import Array
from itemcurve.reports.numbers import write_tick

_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 12, 10, 38


@dataclass(frozen=True)
class Tick:
    """A label at a place of an axis."""

    place: float
    text: str


@dataclass(frozen=True)
class LineDrawing:
    """A line with an area below it; `path` and `area` are SVG paths, ticks in pixels."""

    width: int
    height: int
    path: str
    area: str
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    label_across: str
    label_up: str
    title: str


@dataclass(frozen=True)
class Bar:
    """A horizontal bar, in pixels."""

    x: float
    y: float
    width: float
    height: float
    kind: str


@dataclass(frozen=True)
class BarDrawing:
    """Two histograms back to back."""

    width: int
    height: int
    bars: tuple[Bar, ...]
    middle: float
    up: tuple[Tick, ...]
    label_up: str
    title: str


def draw_line(
    x: Array, y: Array, labels: tuple[str, str], title: str, size: tuple[int, int] = (520, 260)
) -> LineDrawing:
    """Draw y ≥ 0 against x, on a logarithmic scale where it spans many sizes."""
    width, height = size
    is_log = bool(y.max() > 300 * np.median(y) > 0)
    low, high = (max(y.min(), y.max() * 1e-5), y.max()) if is_log else (0.0, y.max() * 1.05)
    low, high = (np.log10(low), np.log10(high) + 0.1) if is_log else (low, high or 1.0)
    shown = np.log10(np.maximum(y, 10.0**low)) if is_log else y
    across = _LEFT + (x - x[0]) / (x[-1] - x[0]) * (width - _LEFT - _RIGHT)
    down = height - _BOTTOM - (shown - low) / (high - low) * (height - _TOP - _BOTTOM)
    path = "M" + "L".join(f"{a:.1f},{b:.1f}" for a, b in zip(across, down, strict=True))
    floor = height - _BOTTOM
    area = f"{path}L{across[-1]:.1f},{floor}L{across[0]:.1f},{floor}Z"
    return LineDrawing(
        width,
        height,
        path,
        area,
        tuple(
            Tick(_LEFT + (v - x[0]) / (x[-1] - x[0]) * (width - _LEFT - _RIGHT), write_tick(v))
            for v in nice_ticks(float(x[0]), float(x[-1]))
        ),
        tuple(
            Tick(
                float(floor - (v - low) / (high - low) * (height - _TOP - _BOTTOM)),
                write_tick(10.0**v if is_log else v),
            )
            for v in nice_ticks(low, high, whole=is_log)
        ),
        *labels,
        title,
    )


def draw_wright_map(shown: WrightMap, size: tuple[int, int] = (520, 260)) -> BarDrawing:
    """Draw abilities to the left and difficulties to the right of one scale."""
    width, height = size
    ends, bins = (float(shown.edges[0]), float(shown.edges[-1])), len(shown.respondents)
    middle = (width + _LEFT - _RIGHT) / 2
    reach = (width - _LEFT - _RIGHT) / 2
    room = height - _TOP - 14
    bars = []
    # Of items with several categories, thresholds say where they measure.
    items = shown.items if shown.thresholds is None else shown.thresholds
    for counts, kind in ((shown.respondents, "respondents"), (items, "items")):
        longest = max(int(counts.max()), 1)
        for index, count in enumerate(counts):
            length = reach * count / longest
            y = _TOP + room * (1 - (index + 1) / bins)
            left = middle - length if kind == "respondents" else middle
            if count:
                bars.append(Bar(left, y + 0.5, length, room / bins - 1, kind))
    ticks = tuple(
        Tick(float(_TOP + room * (1 - (v - ends[0]) / (ends[1] - ends[0]))), write_tick(v))
        for v in nice_ticks(*ends)
    )
    title = "Wright map" if shown.thresholds is None else "Wright map: thresholds of the items"
    return BarDrawing(width, height, tuple(bars), middle, ticks, shown.axis.label, title)


def nice_ticks(low: float, high: float, count: int = 5, whole: bool = False) -> list[float]:
    """Give about `count` round numbers between two ends.

    Examples
    --------
    >>> nice_ticks(0.0, 1.0)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    if not high > low:
        return [low]
    rough = (high - low) / count
    size = 10.0 ** np.floor(np.log10(rough))
    step = next((m * size for m in (1, 2, 5, 10) if m * size >= rough), 10 * size)
    step = max(1.0, round(step)) if whole else step
    first = int(np.ceil(low / step - 1e-9))
    last = int(np.floor(high / step + 1e-9))
    return [round(float(index * step), 10) for index in range(first, last + 1)]
