"""Claims of the Γ paper by its own protocol: averages of algorithm 1, and single runs."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from itemcurve_studies.gamma.causes import try_without_lines
from itemcurve_studies.gamma.evidence import places
from itemcurve_studies.gamma.experiment import GammaStudy
from itemcurve_studies.gamma.item_claims import ENDS, HARD
from itemcurve_studies.gamma.paper_estate_claims import judge_runs
from itemcurve_studies.gamma.paper_protocol import SHOWN, Averages
from itemcurve_studies.gamma.polynomial import SIGMAS
from itemcurve_studies.gamma.regressors import LINEAR, NONLINEAR, RESPONDENTS
from itemcurve_studies.gamma.variation import compare_paired
from itemcurve_studies.study.claims import judge
from itemcurve_studies.study.second_verdicts import SecondVerdict

Floats = NDArray[np.float64]
_STEADY = tuple(name for name in NONLINEAR if name != "AdaBoost")


def judge_by_paper(study: GammaStudy) -> list[SecondVerdict]:
    """Judge what the rules by the paper's own protocol judge."""
    found = study.averages
    rules: tuple[Callable[[Averages], SecondVerdict], ...] = (
        _difficulty_rises,
        _discrimination_falls,
        _negative_correlation,
        _first_negative,
        _examples,
        _linear,
        _best,
        _nonlinear,
        _references,
    )
    verdicts = [_regions(study), *(rule(found) for rule in rules)]
    if len(found.levels) == len(SIGMAS):
        verdicts += [_varies_less(found), _exceptions(found)]
    return verdicts + ([] if study.estate_runs is None else judge_runs(study.estate_runs))


def interval_of(values: Floats) -> tuple[float, float]:
    """95 % interval of a mean, by its standard error."""
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return float(values.mean() - 1.96 * error), float(values.mean() + 1.96 * error)


def say_interval(values: Floats, of: str, digits: int = 3) -> str:
    """Give it as people read it."""
    low, high = interval_of(values)
    return f"{of}: {low:.{digits}f} to {high:.{digits}f}"


def _shown(found: Averages, values: Floats) -> list[Floats]:
    """Averages over draws at the three levels that the paper shows."""
    places_of = [int(np.flatnonzero(found.levels == level)[0]) for level in SHOWN]
    return [values[place].mean(axis=0) for place in places_of]


def _regions(study: GammaStudy) -> SecondVerdict:
    found = study.averages
    difficulty = _shown(found, found.difficulty)[0]
    tenth = max(1, round(len(difficulty) / 10))
    order = np.argsort(difficulty)
    inside = (found.x >= HARD[0]) & (found.x <= HARD[1])
    hard = float(inside[order[-tenth:]].mean())
    easy = float((np.abs(found.x[order[:tenth]]) > ENDS).mean())
    parts = hard > 0.5, easy == 1
    return SecondVerdict(
        "G5",
        f"{hard:.0%} of the hardest tenth inside, {easy:.0%} of the easiest at the ends",
        judge(all(parts), any(parts)),
        "counts of items; none",
        "" if all(parts) else try_without_lines(study.polynomial),
    )


def _difficulty_rises(found: Averages) -> SecondVerdict:
    first, *later = _shown(found, found.difficulty)
    ends = np.abs(found.x) > ENDS
    changes = [level - first for level in later]
    rises = all(interval_of(change[~ends])[0] > 0 for change in changes)
    moves = all(change.mean() > 0 for change in changes)
    steady = all(abs(c[ends].mean()) < c[~ends].mean() / 2 for c in changes)
    told = ", ".join(f"{c[~ends].mean():+.3f} and {c[ends].mean():+.3f}" for c in changes)
    return SecondVerdict(
        "G6",
        f"centre and ends at σ = 0.25, 0.5: {told}",
        judge(rises and moves and steady, rises and moves),
        say_interval(changes[-1][~ends], "change in the centre at 0.5"),
    )


def _discrimination_falls(found: Averages) -> SecondVerdict:
    from scipy.stats import spearmanr

    levels, difficulties = _shown(found, found.discrimination), _shown(found, found.difficulty)
    steps = [levels[1] - levels[0], levels[2] - levels[1]]
    falls = all(interval_of(step)[1] < 0 for step in steps)
    pairs = zip(difficulties, levels, strict=True)
    ranks = [float(spearmanr(*pair).statistic) for pair in pairs]
    parts = falls, max(ranks) < 0
    return SecondVerdict(
        "G7",
        f"{' → '.join(f'{level.mean():.3f}' for level in levels)}; ρ with difficulty "
        f"{', '.join(f'{rank:.2f}' for rank in ranks)}",
        judge(all(parts), any(parts)),
        "; ".join(
            say_interval(step, of)
            for step, of in zip(steps, ("0 to 0.25", "0.25 to 0.5"), strict=True)
        ),
    )


def _negative_correlation(found: Averages) -> SecondVerdict:
    pairs = zip(_shown(found, found.difficulty), _shown(found, found.discrimination), strict=True)
    values = [float(np.corrcoef(*pair)[0, 1]) for pair in pairs]
    # Fisher's z of a correlation over the items.
    width = 1.96 / np.sqrt(len(found.x) - 3)
    ends = [np.tanh(np.arctanh(value) + width) for value in values]
    return SecondVerdict(
        "G8",
        f"Pearson {', '.join(f'{value:.2f}' for value in values)} at σ = 0, 0.25, 0.5",
        judge(max(ends) < 0, max(values) < 0),
        f"upper ends {', '.join(f'{end:.2f}' for end in ends)}",
    )


def _first_negative(found: Averages) -> SecondVerdict:
    means = found.discrimination.mean(axis=1)
    counts = (means < 0).sum(axis=1)
    by_level = dict(zip(found.levels.tolist(), counts.tolist(), strict=True))
    early = [by_level[level] for level in by_level if level != SHOWN[-1]]
    last = by_level[SHOWN[-1]]
    single = (found.discrimination < 0).sum(axis=2).mean(axis=1)
    shown = [int(np.flatnonzero(found.levels == level)[0]) for level in SHOWN]
    lowest = means.min(axis=1)
    return SecondVerdict(
        "G9",
        f"items below 0 on average: {last} at σ = 0.5, {sum(early)} at the {len(early)} other "
        "levels run; lowest "
        f"{', '.join(f'{lowest[p]:.2f}' for p in shown)} at σ = 0, 0.25, 0.5; in a single run "
        f"{', '.join(f'{single[p]:.2f}' for p in shown)} items are",
        judge(last > 0 and sum(early) == 0, last > 0 and by_level[0] + by_level[SHOWN[1]] == 0),
        f"of {found.discrimination.shape[1]} draws a level",
    )


def _examples(found: Averages) -> SecondVerdict:
    difficulty, slope = (_shown(found, v)[1] for v in (found.difficulty, found.discrimination))
    chosen = []
    for inside in ((found.x >= HARD[0]) & (found.x <= HARD[1]), np.abs(found.x) > ENDS):
        members = np.flatnonzero(inside)
        chosen.append(int(members[np.argsort(difficulty[members])[len(members) // 2]]))
    (d, e), (a, b) = difficulty[chosen], slope[chosen]
    return SecondVerdict(
        "G10",
        f"difficulty {d:.2f} and {e:.2f}, discrimination {a:.2f} and {b:.2f}",
        judge(bool(d > e and a < b)),
        "two items; none",
    )


def _ends(found: Averages, values: Floats, names: tuple[str, ...]) -> tuple[Floats, Floats]:
    """Means over respondents at the first and at the last level, for every draw."""
    first, last = (int(np.flatnonzero(found.levels == level)[0]) for level in (0, SHOWN[-1]))
    own = values[:, :, places(names)].mean(axis=2)
    return own[first], own[last]


def _linear(found: Averages) -> SecondVerdict:
    means = found.errors.mean(axis=1)
    above = means[:, places(LINEAR)].mean(axis=1) > means[:, places(NONLINEAR)].mean(axis=1)
    changes = [
        last - first
        for first, last in (_ends(found, v, LINEAR) for v in (found.errors, found.abilities))
    ]
    parts = above.mean() >= 0.9, *(interval_of(change)[0] > 0 for change in changes)
    return SecondVerdict(
        "G11",
        f"above the nonlinear ones at {above.sum()} of {len(above)} levels; from 0 to 0.5 their "
        f"error changes by {changes[0].mean():+.2f}, their ability by {changes[1].mean():+.3f}",
        judge(all(parts), sum(parts) == 2),
        f"{say_interval(changes[0], 'error', 2)}; {say_interval(changes[1], 'ability')}",
    )


def _best(found: Averages) -> SecondVerdict:
    real = places((*LINEAR, *NONLINEAR))
    values = _shown(found, found.abilities)[0][real]
    order = [RESPONDENTS[real[place]] for place in np.argsort(-values)]
    both = sum(name in order[:2] for name in ("Random forest", "RBF support vectors"))
    first, second, third = (found.abilities[0][:, places([name])[0]] for name in order[:3])
    return SecondVerdict(
        "G12",
        f"{', '.join(f'{n} {values[real.index(places([n])[0])]:.3f}' for n in order[:4])}",
        judge(both == 2, both == 1),
        f"{say_interval(first - second, 'first − second')}; "
        f"{say_interval(second - third, 'second − third')}",
    )


def _nonlinear(found: Averages) -> SecondVerdict:
    changes = {}
    for name in NONLINEAR:
        first, last = _ends(found, found.abilities, (name,))
        changes[name] = float((last - first).mean())
    first, last = _ends(found, found.abilities, NONLINEAR)
    fall = sum(change < 0 for change in changes.values())
    return SecondVerdict(
        "G13",
        f"{fall} of 7 fall; mean change {(last - first).mean():+.3f}",
        judge(fall == len(NONLINEAR), bool((last - first).mean() < 0)),
        say_interval(last - first, "mean of the seven"),
    )


def _references(found: Averages) -> SecondVerdict:
    pairs = [_ends(found, found.abilities, (name,)) for name in ("Optimal", "Average")]
    optimal, average = (last - first for first, last in pairs)
    parts = interval_of(optimal)[1] < 0, interval_of(average)[0] > 0
    return SecondVerdict(
        "G14",
        f"Optimal {optimal.mean():+.3f}, Average {average.mean():+.3f} from σ = 0 to 0.5",
        judge(all(parts), any(parts)),
        f"{say_interval(optimal, 'Optimal')}; {say_interval(average, 'Average')}",
    )


def _variation(found: Averages) -> tuple[Floats, Floats]:
    """Changes of mean ability and MAE from the first level, in per cent (steps × respondents)."""
    ability, absolute = found.abilities.mean(axis=1), found.absolute.mean(axis=1)
    first, second = (
        100 * np.abs(values[1:] - values[0]) / values[0] for values in (ability, absolute)
    )
    return first, second


def _varies_less(found: Averages) -> SecondVerdict:
    ability, absolute = _variation(found)
    gap, p = compare_paired(ability, absolute)
    return SecondVerdict(
        "G15",
        f"{gap:+.1f} points, p = {p:.1e}",
        judge(gap < 0 and p < 0.05),
        say_interval((ability - absolute).ravel(), "points, cells as units", 1),
    )


def _exceptions(found: Averages) -> SecondVerdict:
    ability, absolute = _variation(found)
    gap = ability - absolute
    linear = float((gap[:, places(LINEAR[:2])] > 0).mean())
    late = gap[9:, places(_STEADY)].mean(axis=1)
    parts = linear > 0.8, bool((late < 0).all())
    return SecondVerdict(
        "G16",
        f"linear and Bayesian ridge vary more in {linear:.0%} of their cells; the mean of the six "
        f"is below 0 at {int((late < 0).sum())} of {len(late)} steps from the 10th on",
        judge(all(parts), any(parts)),
        say_interval(late, "mean of the six from step 10 on", 1),
    )
