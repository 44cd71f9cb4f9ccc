"""What noise did to abilities, in sentences: who keeps most, who least, what ability adds."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from itemcurve.evaluation.noise.ability_loss import AbilityLoss
from itemcurve.evaluation.noise.noise_sweep import NoiseSweep

# From here on two orders are the same, but for neighbours.
_ALIKE = 0.9
# Fewer have too few orders for a rank correlation to mean anything.
_LEAST = 4
_MOST_NAMED = 5
# What is lost from here on up can hardly be seen.
_FULL = 0.995
# Findings that warn of an order which plain metrics contradict, or which follows confidence.
_CODES = ("IRT011", "IRT012")
UNITS = {
    "labels": "{level:.0%} of the labels flipped",
    "targets": "targets blurred by {level:g} standard deviations",
    "features": "features blurred by {level:g} standard deviations",
}


def say_loss(found: AbilityLoss) -> list[str]:
    """Say who keeps its ability best and worst, and whether ability tells what errors do not."""
    order = [place for place in found.order() if found.is_ahead[place]]
    said = [
        "All answer as they do without noise: the noise is in what they are judged by, and what "
        "changes is the judgement, not the models."
    ] * found.is_same
    said.append(_say_best(found, order))
    if len(order) > 1:
        said.append(f"Keeps it worst: {_say_one(found, order[-1])}.")
    ablest = int(np.argmax(found.skill[-1]))
    most = UNITS[found.kind].format(level=found.levels[-1])
    said.append(
        f"Best with {most}: {found.respondents[ablest]}, skill {found.skill[-1, ablest]:.3f}."
    )
    said += [line for line in (_say_added(found), _say_floor(found), _say_full(found)) if line]
    return said


def say_cautions(sweep: NoiseSweep) -> list[str]:
    """Give what the findings warn of where an order is not what plain metrics say."""
    last = max(step.level for step in sweep.steps)
    said = {}
    for level in (0.0, last):
        evaluation = next(step.evaluation for step in sweep.steps if step.level == level)
        where = "Without noise" if level == 0 else f"At noise {level:g}"
        for finding in evaluation.findings():
            if finding.code in _CODES and finding.severity == "warning":
                said[finding.code] = f"{where}, {finding.code}: {finding.message} {finding.advice}"
    return list(said.values())


def name_some(names: Iterable[str]) -> str:
    """Give names in a row, the first of many."""
    known = list(names)
    more = len(known) - _MOST_NAMED
    return ", ".join(known[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _say_best(found: AbilityLoss, order: list[int]) -> str:
    near = [place for place in found.not_told_from(order[0]) if found.is_ahead[place]]
    told = f"Keeps its ability best: {_say_one(found, order[0])}."
    if not near or len(order) == 1:
        return told
    if len(near) == len(order) - 1:
        return f"{told} By their skill nobody can be told from it in that."
    names = name_some(found.respondents[place] for place in near)
    return f"{told} By their skill not told from it in that: {names}."


def _say_one(found: AbilityLoss, place: int) -> str:
    ability, plain = found.ability[[0, -1], place], found.plain[[0, -1], place]
    word, form = ("accuracy", ".3f") if found.measure == "accuracy" else ("mean error", ".2f")
    return (
        f"{found.respondents[place]} (ability {ability[0]:.2f} to {ability[1]:.2f}, {word} "
        f"{plain[0]:{form}} to {plain[1]:{form}})"
    )


def _say_added(found: AbilityLoss) -> str:
    """Whether ability and the plain metric order models alike by what they lose."""
    correlation = found.rank_correlation()
    if found.is_ahead.sum() < _LEAST or np.isnan(correlation):
        return ""
    word = "accuracy" if found.measure == "accuracy" else "the mean error"
    if correlation >= _ALIKE:
        return (
            f"By what they lose, ability and {word} order the models alike (rank correlation "
            f"{correlation:.2f}): here ability says nothing that errors do not."
        )
    ability, plain = (_ranks(values[found.is_ahead]) for values in found.kept())
    most = int(np.argmax(np.abs(ability - plain)))
    name = found.respondents[np.flatnonzero(found.is_ahead)[most]]
    return (
        f"By what they lose, ability and {word} order the models differently (rank correlation "
        f"{correlation:.2f}): ability counts the same loss for more where fewer rows were wrong. "
        f"Of {len(ability)}, {name} is number {ability[most]} in keeping ability "
        f"and {plain[most]} in keeping {word}."
    )


def _ranks(kept: NDArray[np.float64]) -> NDArray[np.int64]:
    """Rank 1 for who keeps most."""
    return np.asarray(1 + (kept[:, np.newaxis] < kept).sum(axis=1))


def _say_floor(found: AbilityLoss) -> str:
    names = [
        name for name, ahead in zip(found.respondents, found.is_ahead, strict=True) if not ahead
    ]
    if not names:
        return ""
    are, have = ("is", "has") if len(names) == 1 else ("are", "have")
    return (
        f"{name_some(names)} {are} not clearly better than a constant answer without noise and "
        f"{have} little to lose: shown last, not compared."
    )


def _say_full(found: AbilityLoss) -> str:
    names = [
        name
        for name, skill in zip(found.respondents, found.skill[0], strict=True)
        if skill >= _FULL
    ]
    if not names:
        return ""
    return (
        f"At the ceiling without noise (nearly no error): {name_some(names)}. How much ability is "
        "lost from there cannot be told; go by accuracy, or take harder rows."
    )
