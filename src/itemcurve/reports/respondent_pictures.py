"""Pictures beside the leaderboard: ability against accuracy, and calibration."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.reports.drawings import Tick, nice_ticks
from itemcurve.reports.numbers import write_number, write_tick

if TYPE_CHECKING:
    import pandas

_WIDTH, _HEIGHT = 520, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 14, 12, 40
_MOST_LINES = 3
_LONGEST = 20
# Of a name: height of its line, width of a sign.
_LINE, _SIGN = 15, 7


@dataclass(frozen=True)
class Dot:
    """A point with what it says; its name is written beside it where there is room."""

    x: float
    y: float
    words: str
    name: str = ""
    is_left: bool = False


@dataclass(frozen=True)
class Trace:
    """A line through points, named at its end."""

    name: str
    path: str
    dots: tuple[Dot, ...]


@dataclass(frozen=True)
class Picture:
    """Points and lines between two axes; `diagonal` where both axes are the same."""

    title: str
    caption: str
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    labels: tuple[str, str]
    dots: tuple[Dot, ...] = ()
    traces: tuple[Trace, ...] = ()
    diagonal: str = ""
    width: int = _WIDTH
    height: int = _HEIGHT


@dataclass(frozen=True)
class Frame:
    """Where values lie in the picture."""

    across: tuple[float, float]
    up: tuple[float, float]

    @classmethod
    def around(cls, x: NDArray[np.float64], y: NDArray[np.float64]) -> "Frame":
        """Room for these points, and a margin."""
        return cls(_widened(x), _widened(y))

    def x(self, value: float) -> float:
        """Pixels from the left."""
        low, high = self.across
        return round(_LEFT + (value - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT), 1)

    def y(self, value: float) -> float:
        """Pixels from the top."""
        low, high = self.up
        share = (value - low) / (high - low)
        return round(_HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM), 1)

    @property
    def ticks(self) -> tuple[tuple[Tick, ...], tuple[Tick, ...]]:
        """Of both axes."""
        return (
            tuple(Tick(self.x(v), write_tick(v)) for v in nice_ticks(*self.across)),
            tuple(Tick(self.y(v), write_tick(v)) for v in nice_ticks(*self.up)),
        )


def draw_against_accuracy(board: "pandas.DataFrame") -> Picture | None:
    """Draw accuracy against what respondents are ranked by; None where one of them is missing."""
    if not {"accuracy", "ability"} <= set(board.columns):
        return None
    ranked = board[board["rank"].notna() & board["accuracy"].notna()]
    x, y = ranked["accuracy"].to_numpy(float), ranked["ability"].to_numpy(float)
    if len(ranked) < 3 or not np.isfinite(y).all():
        return None
    frame = Frame.around(x, y)
    dots = []
    for name, a, b in zip(ranked["respondent"], x, y, strict=True):
        words = f"{name}: accuracy {write_number(float(a))}, ability {write_number(float(b))}"
        dots.append(Dot(frame.x(a), frame.y(b), words))
    for place, name in enumerate(ranked["respondent"].astype(str)):
        named = replace(dots[place], name=_short(name), is_left=dots[place].x > _WIDTH / 2)
        if _has_room(named, dots[:place] + dots[place + 1 :]):
            dots[place] = named
    return Picture(
        "Ability against accuracy",
        "Who lies above others of its accuracy was right where it is harder, or where the given "
        "label is probably wrong.",
        *frame.ticks,
        ("accuracy", "ability"),
        tuple(dots),
    )


def _has_room(dot: Dot, others: list[Dot]) -> bool:
    """Whether a name can be written without touching another point, or its name."""
    left, right = _reach(dot)
    near = [_reach(other) for other in others if abs(other.y - dot.y) < _LINE]
    return all(right < start or left > end for start, end in near)


def _reach(dot: Dot) -> tuple[float, float]:
    """From where to where a point and its name go."""
    length = _SIGN * len(dot.name) + (12 if dot.name else 6)
    return (dot.x - length, dot.x + 6) if dot.is_left else (dot.x - 6, dot.x + length)


def draw_calibration(curves: "pandas.DataFrame | None", best: list[str]) -> Picture | None:
    """Draw how often the best respondents are right when they are so sure; None without data."""
    if curves is None or curves.empty:
        return None
    known = [name for name in best if (curves["respondent"] == name).any()][:_MOST_LINES]
    if not known:
        return None
    parts = {name: curves[curves["respondent"] == name] for name in known}
    values = np.concatenate([part[["stated", "right"]].to_numpy(float) for part in parts.values()])
    least = float(min(values.min(), 0.5))
    frame = Frame((least, 1.0), (least, 1.0))
    traces = []
    for name, part in parts.items():
        points = list(zip(part["stated"], part["right"], part["items"], strict=True))
        path = "M" + "L".join(f"{frame.x(a)},{frame.y(b)}" for a, b, _ in points)
        dots = tuple(
            Dot(frame.x(a), frame.y(b), f"{name}: said {a:.2f}, was right {b:.2f} of {n} times")
            for a, b, n in points
        )
        traces.append(Trace(name, path, dots))
    ends = f"M{frame.x(least)},{frame.y(least)}L{frame.x(1.0)},{frame.y(1.0)}"
    return Picture(
        "Calibration of the best",
        "On the diagonal stated probabilities come true; below it a model is too sure.",
        *frame.ticks,
        ("stated probability", "share right"),
        traces=tuple(traces),
        diagonal=ends,
    )


def _widened(values: NDArray[np.float64]) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    margin = 0.08 * (high - low) or 0.5
    return low - margin, high + margin


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
