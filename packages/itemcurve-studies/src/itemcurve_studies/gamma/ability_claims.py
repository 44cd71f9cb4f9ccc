"""Claims of the Γ paper about abilities on the polynomial: G11 to G16."""

import numpy as np
from numpy.typing import NDArray

from itemcurve_studies.gamma.causes import find_where_lines_vary
from itemcurve_studies.gamma.evidence import (
    is_above,
    judge_both,
    places,
    say_both,
    say_mean,
    slopes,
)
from itemcurve_studies.gamma.polynomial import SIGMAS, Polynomial, measure_tube
from itemcurve_studies.gamma.regressors import LINEAR, METHODS, NONLINEAR, RESPONDENTS
from itemcurve_studies.gamma.variation import compare_paired, measure_variation
from itemcurve_studies.study.claims import Claim

Floats = NDArray[np.float64]

_SCALE = (
    "Abilities of two levels share no scale but that of the priors. The published objective weighs "
    "the prior of an ability as much as all its responses and draws it to 0.5; under joint MAP, "
    "whose priors are weak, all abilities rise together with the noise. Tested: same errors, both "
    "objectives; the distance of nonlinear from linear models, which has no origin, falls by both."
)


def judge_abilities(study: Polynomial) -> list[Claim]:
    """Judge G11 to G16."""
    return [
        _linear(study),
        _best(study),
        _nonlinear(study),
        _references(study),
        _varies_less(study),
        _exceptions(study),
    ]


def ability_slopes(study: Polynomial, method: int, names: tuple[str, ...]) -> Floats:
    """Slope of the mean ability of a group over σ, for each data set."""
    return slopes(study.abilities[:, :, method][:, :, places(names)].mean(axis=2), SIGMAS)


def _linear(study: Polynomial) -> Claim:
    medians = np.median(study.errors, axis=0)
    linear, others = medians[:, places(LINEAR)], medians[:, places(NONLINEAR)]
    highest = float((linear.min(axis=1) > others.max(axis=1)).mean())
    rise = linear[-1].mean() / linear[0].mean() - 1
    is_highest = highest > 0.9 and rise > 0
    scores = study.scores.mean(axis=(0, 3))
    lowest = scores[:, places(LINEAR)].max(axis=1) < scores[:, places(NONLINEAR)].min(axis=1)
    found = [ability_slopes(study, method, LINEAR) for method in range(len(METHODS))]
    texts = [f"slope of ability {say_mean(slope)} per unit of σ" for slope in found]
    return Claim(
        "G11",
        "Linear models: highest normalised errors, rising slightly; ability rises slightly",
        "none",
        f"median error highest at {highest:.0%} of the levels, {rise:+.0%} from first to last; "
        f"mean score 1/(1 + e) lowest at {lowest.mean():.0%}; " + say_both(texts),
        judge_both([is_highest and is_above(slope) for slope in found], bool(lowest.all())),
        "A target near the mean makes single normalised errors huge, so that their means follow "
        "few items; the bounded scores, which are what is fitted, do not.",
        is_headline=True,
    )


def _best(study: Polynomial) -> Claim:
    real = places((*LINEAR, *NONLINEAR))
    holds, texts = [], []
    for method in range(len(METHODS)):
        values = study.abilities[:, 0, method][:, real]
        order = np.argsort(-values.mean(axis=0))
        top = {RESPONDENTS[real[place]] for place in order[:2]}
        holds.append(top == {"Random forest", "RBF support vectors"})
        named = [f"{RESPONDENTS[real[p]]} {say_mean(values[:, p])}" for p in order[:3]]
        rank = int(np.flatnonzero(order == real.index(places(["RBF support vectors"])[0]))[0]) + 1
        texts.append(f"{', '.join(named)}; RBF support vectors rank {rank}")
    partly = all("Random forest" in text.split(";")[0] for text in texts)
    return Claim(
        "G12",
        "Without noise random forest and RBF support vectors have the highest abilities",
        "none",
        say_both(texts),
        judge_both(holds, partly),
        "" if all(holds) else _tube(study),
    )


def _tube(study: Polynomial) -> str:
    """What holds the support vectors back, by their absolute errors."""
    error = study.absolute[:, 0].mean(axis=0)
    svm, forest = (error[places([name])[0]] for name in ("RBF support vectors", "Random forest"))
    narrow = measure_tube(len(study.x), 0.01)
    return (
        f"Their noise-free mean absolute error is {svm:.3f} against {forest:.3f} of the forest: "
        "the default tube ε = 0.1 on standardised targets leaves errors of up to 0.1 alone. "
        f"Tested: with ε = 0.01 it is {narrow:.3f}."
    )


def _nonlinear(study: Polynomial) -> Claim:
    found = [ability_slopes(study, method, NONLINEAR) for method in range(len(METHODS))]
    texts = []
    for method, slope in enumerate(found):
        logits = np.log(study.abilities[:, :, method] / (1 - study.abilities[:, :, method]))
        gap = logits[..., places(NONLINEAR)].mean(-1) - logits[..., places(LINEAR)].mean(-1)
        texts.append(
            f"slope {say_mean(slope)} per unit of σ, distance from linear models (logits) "
            f"{gap[:, 0].mean():.2f} → {gap[:, -1].mean():.2f}"
        )
    holds = [is_above(-slope) for slope in found]
    return Claim(
        "G13",
        "Abilities of nonlinear models fall markedly with noise",
        "none",
        say_both(texts),
        judge_both(holds),
        "" if all(holds) else _SCALE,
        is_headline=True,
    )


def _references(study: Polynomial) -> Claim:
    holds, texts = [], []
    for method in range(len(METHODS)):
        optimal, average = (ability_slopes(study, method, (n,)) for n in ("Optimal", "Average"))
        holds.append(is_above(-optimal) and is_above(average))
        texts.append(f"Optimal {say_mean(optimal)}, Average {say_mean(average)} per unit of σ")
    gap = float(np.abs(study.errors[..., places(["Average"])[0]] - 1).max())
    return Claim(
        "G14",
        "Optimal's ability falls with noise, Average's rises; its relative error is 1",
        "relative error 1",
        f"{say_both(texts)}; Average's error is within {gap:.0e} of 1",
        judge_both(holds),
        "" if all(holds) else _SCALE,
        is_headline=True,
    )


def _varies_less(study: Polynomial) -> Claim:
    holds, texts = [], []
    for method in range(len(METHODS)):
        found = measure_variation(study, method)
        gap, p = compare_paired(found.ability, found.absolute)
        odds, p_odds = compare_paired(found.odds, found.absolute)
        normalised, p_n = compare_paired(found.ability, found.normalised)
        apart = compare_paired(found.ability.mean(axis=0), found.absolute.mean(axis=0))[1]
        holds.append(gap < 0 and p < 0.05)
        texts.append(
            f"{gap:+.0f} points, p = {p:.1e} (respondents as units: p = {apart:.2g}); as odds "
            f"{odds:+.0f}, p = {p_odds:.1e}; against the normalised error {normalised:+.0f}, "
            f"p = {p_n:.1e}"
        )
    return Claim(
        "G15",
        "Ability varies less than MAE, in per cent of the noise-free value",
        "paired t-test p = 0.00004",
        say_both(texts),
        judge_both(holds),
        "A percentage favours what cannot exceed 1, and noise-free errors of good regressors are "
        "near 0; cells of one respondent are no independent units: both variants are beside it.",
        is_headline=True,
    )


def _exceptions(study: Polynomial) -> Claim:
    steady = tuple(name for name in NONLINEAR if name != "AdaBoost")
    parts, texts = [], []
    for method in range(len(METHODS)):
        found = measure_variation(study, method)
        gap = found.ability - found.absolute
        linear = float((gap[:, places(LINEAR[:2])] > 0).mean())
        late = float((gap[9:, places(steady)] < 0).mean())
        parts.append((linear > 0.8, late > 0.9))
        texts.append(
            f"linear and Bayesian ridge vary more in {linear:.0%} of their cells; nonlinear ones "
            f"but AdaBoost less in {late:.0%} from step 10 on"
        )
    return Claim(
        "G16",
        "Linear and Bayesian ridge vary more in ability; nonlinear ones but AdaBoost less",
        "almost every step; from step 10 of 20 on",
        say_both(texts),
        judge_both(
            [all(part) for part in parts], any(all(own) for own in zip(*parts, strict=True))
        ),
        "" if all(all(part) for part in parts) else find_where_lines_vary(study),
    )
