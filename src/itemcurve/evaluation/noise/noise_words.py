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
# The plain metric and how it is written.
_PLAIN = {"accuracy": ("accuracy", ".3f"), "mae": ("mean error", ".2f")}
# Findings that warn of an order which plain metrics contradict, or which follows confidence.
_CODES = ("IRT011", "IRT012")
UNITS = {
    "labels": "{level:.0%} of the labels flipped",
    "targets": "targets blurred by {level:g} standard deviations",
    "features": "features blurred by {level:g} standard deviations",
}


def say_loss(found: AbilityLoss) -> list[str]:
    """Say who keeps its ability best and worst, and whether ability tells what errors do not.

    Only of those who are clearly better than a constant answer without noise: what others lose or
    win on the way to one class for all rows is no merit and no fault.
    """
    said = [
        "All answer as they do without noise: the noise is in what they are judged by, and what "
        "changes is the judgement, not the models."
    ] * found.is_same
    said += [f"Left out: {name} ({why})." for name, why in found.failures.items()]
    if not found.is_ahead.any():
        return [*said, _say_none_ahead(found), *_say_collapsed(found)]
    # Noise in what answers are judged by changes nobody's answers.
    if found.is_ahead.sum() > 1 and not found.is_same:
        said += _say_lead(found)
    said += _say_ends(found)
    lines = (_say_strongest(found), _say_most_to_lose(found), _say_within_error(found))
    more = (_say_added(found), _say_floor(found), _say_full(found))
    said += [line for line in (*lines, *more) if line]
    return said + _say_collapsed(found)


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
    # A name takes no more room than "and 1 more".
    shown = _MOST_NAMED if len(known) > _MOST_NAMED + 1 else len(known)
    more = len(known) - shown
    return ", ".join(known[:shown]) + (f" and {more} more" if more else "")


def _say_ends(found: AbilityLoss) -> list[str]:
    """Who keeps ability best and worst; one that answers one class under noise keeps none."""
    order = [place for place in found.order() if found.is_ahead[place]]
    if len(order) == 1:
        return [
            f"Only {_say_one(found, order[0])} is clearly better than {_say_constant(found)} "
            "without noise: there is nobody to compare it with."
        ]
    kept = [place for place in order if not found.standings.is_collapsed[place]]
    best, worst = (kept or order)[0], order[-1]
    said = []
    if kept:
        said.append(
            f"Loses least ability: {_say_one(found, best)}.{_say_near(found, best)}"
            f"{_say_behind(found, best)}"
        )
    if worst == best:
        return said
    said.append(f"Loses most: {_say_one(found, worst)}.{_say_near(found, worst)}")
    if kept and worst in found.not_told_from(best):
        said.append(
            "Best and worst are not told apart by their skill: the order between is chance, and "
            "another seed may give another. Predict more rows before you rely on it."
        )
    return said


def _say_behind(found: AbilityLoss, place: int) -> str:
    """That who loses least is no good all the same."""
    leaders = found.leaders()
    last = int(leaders[-1])
    if len(leaders) < len(found.levels) or not found.is_clearly_better(-1, last, place):
        return ""
    return (
        f" It had little to lose: with noise it is still behind {found.respondents[last]} "
        f"(skill {found.skill[-1, place]:.3f} against {found.skill[-1, last]:.3f})."
    )


def _say_near(found: AbilityLoss, place: int) -> str:
    """Who is not told from one by the change of skill."""
    near = [other for other in found.not_told_from(place) if found.is_ahead[other]]
    if not near:
        return ""
    if len(near) == found.is_ahead.sum() - 1:
        return " By their skill nobody can be told from it in that."
    names = name_some(found.respondents[other] for other in near)
    return f" By their skill not told from it in that: {names}."


def _say_lead(found: AbilityLoss) -> list[str]:
    """Who is best, at which noise it loses its place, to whom, and whether that is chance."""
    leaders = found.leaders()
    best, end = int(leaders[0]), len(leaders) - 1
    name = found.respondents[best]
    if (leaders == best).all():
        return [_say_unbeaten(found, best, end)]
    turn = int(np.flatnonzero(leaders != best)[0])
    before = found.levels[turn - 1]
    kept = f"Best without noise{f' and up to noise {before:g}' if before else ''}: {name}"
    said = [
        f"{kept}{_say_skills(found, best, end)}. With noise {found.levels[turn]:g} "
        f"{found.respondents[leaders[turn]]} has passed it, "
        f"{_say_gap(found, turn, int(leaders[turn]), best)}."
    ]
    last, level = int(leaders[end]), found.levels[end]
    if last == best:
        said.append(f"With noise {level:g} {name} is first again.")
    elif turn < end:
        ahead = f"Best with noise {level:g}: {found.respondents[last]}"
        gap = _say_gap(found, end, last, best)
        said.append(f"{ahead}{_say_skills(found, last, end)}, {gap}.")
    return said


def _say_unbeaten(found: AbilityLoss, best: int, end: int) -> str:
    """That nobody passes the best, up to the last level at which anybody is of use."""
    name, level = found.respondents[best], found.levels[end]
    if not end:
        return f"Best without noise: {name} (skill {found.skill[0, best]:.3f})."
    where = "at every level of it" if end == len(found.levels) - 1 else f"up to noise {level:g}"
    said = f"Best without noise and {where}: {name}{_say_skills(found, best, end)}."
    others = [int(place) for place in np.flatnonzero(found.is_ahead) if place != best]
    near = [place for place in others if not found.is_clearly_better(end, best, place)]
    if not near:
        return said
    names = name_some(found.respondents[place] for place in near)
    return f"{said} With noise {level:g} not clearly better than {names}."


def _say_skills(found: AbilityLoss, place: int, level: int) -> str:
    first, last = found.skill[[0, level], place]
    return f" (skill {first:.3f} to {last:.3f} with noise {found.levels[level]:g})"


def _say_gap(found: AbilityLoss, level: int, place: int, other: int) -> str:
    skills = f"{found.skill[level, place]:.3f} against {found.skill[level, other]:.3f}"
    is_sure = found.is_clearly_better(level, place, other)
    return f"{skills} of {found.respondents[other]}, {'more' if is_sure else 'no more'} than chance"


def _say_strongest(found: AbilityLoss) -> str:
    """That nobody is better than a constant answer with most noise."""
    if found.standings.is_ahead_with_noise.any():
        return ""
    most = UNITS[found.kind].format(level=found.levels[-1])
    return (
        f"With {most} no model is clearly better than a constant answer: none is of use there, "
        "whoever loses least."
    )


def _say_most_to_lose(found: AbilityLoss) -> str:
    """That the best lose most, where who loses most is the best all the same."""
    worst = [place for place in found.order() if found.is_ahead[place]][-1]
    if found.is_ahead.sum() < 2 or worst != int(np.argmax(found.skill[0])):
        return ""
    name, still = found.respondents[worst], ""
    if worst == int(np.argmax(found.skill[-1])):
        still = " and still is with it"
    return f"Who is good has most to lose: {name} is the best without noise{still}."


def _say_within_error(found: AbilityLoss) -> str:
    """How many rows the changes are from, and whose are more than chance."""
    change, reach = (values[-1] for values in found.skill_change())
    n_rows = found.fit.responses.shape[1]
    clear = [
        name
        for name, ahead, by, error in zip(
            found.respondents, found.is_ahead, change, reach, strict=True
        )
        if ahead and abs(by) > error
    ]
    told, total = f"From {n_rows:,} rows and these draws of noise, ", int(found.is_ahead.sum())
    if not clear:
        return f"{told}no change of skill is beyond its error (90 %)."
    if len(clear) == total:
        return f"{told}all changes of skill are beyond their error (90 %)."
    return (
        f"{told}{len(clear)} of {total} changes of skill are beyond their error (90 %): "
        f"{name_some(clear)}."
    )


def _say_none_ahead(found: AbilityLoss) -> str:
    return (
        f"No model is clearly better than {_say_constant(found)} without noise, on "
        f"{found.fit.responses.shape[1]:,} rows: none has ability to lose, nobody is compared, and "
        "the changes shown say nothing of robustness. Take more rows (a larger test share), other "
        "models (another pool) or another table."
    )


def _say_constant(found: AbilityLoss) -> str:
    word, form = _PLAIN[found.measure]
    return f"'{found.standings.constant}' ({word} {found.standings.constant_plain:{form}})"


def _say_collapsed(found: AbilityLoss) -> list[str]:
    """Who gives up under noise, whatever happens to its accuracy by that."""
    said = []
    for place in np.flatnonzero(found.standings.is_collapsed):
        share = found.standings.one_class[[0, -1], place]
        plain = found.plain[[0, -1], place]
        goes = "rises" if plain[1] > plain[0] else "goes"
        said.append(
            f"{found.respondents[place]} no longer looks at the rows: with noise {share[1]:.0%} "
            f"get one class from it ({share[0]:.0%} without). Its accuracy {goes} to that of a "
            "constant answer, which is no robustness."
        )
    return said


def _say_one(found: AbilityLoss, place: int) -> str:
    ability, plain = found.ability[[0, -1], place], found.plain[[0, -1], place]
    word, form = _PLAIN[found.measure]
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
        f"{correlation:.2f}): {_say_reason(found)}. "
        f"Of {len(ability)}, {name} is number {ability[most]} in keeping ability "
        f"and {plain[most]} in keeping {word}."
    )


def _say_reason(found: AbilityLoss) -> str:
    """Why ability and the plain metric differ here: the scale, the labels, or both."""
    if found.measure == "mae":
        return "ability counts the same loss for more where errors were small"
    from scipy.stats import spearmanr

    ability, plain = (values[found.is_ahead] for values in found.kept())
    skill = (found.skill[-1] - found.skill[0])[found.is_ahead]
    alike = [
        np.ptp(skill) > 0 and spearmanr(skill, other).statistic >= _ALIKE
        for other in (ability, plain)
    ]
    scale = "ability counts the same loss for more where fewer rows were wrong"
    labels = (
        "ability follows skill, for which a doubtful label counts by what all models say of its "
        "row, and accuracy takes every label as given"
    )
    if alike[1] and not alike[0]:
        return scale
    return labels if alike[0] else f"{labels}; and {scale}"


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
