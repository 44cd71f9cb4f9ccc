"""Claims of Song and Flach (2021), judged: A1 to A13."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve_studies.adaptive.calibration import PAPER_MODELS
from itemcurve_studies.adaptive.experiment import AdaptiveStudy
from itemcurve_studies.adaptive.sequence_claims import judge_sequences
from itemcurve_studies.adaptive.tables import PAPER_MSE
from itemcurve_studies.study.claims import Claim, claims_frame, judge

if TYPE_CHECKING:
    import pandas

    from itemcurve.estimation.result import FitResult

_FAR_BELOW = 0.5
_ALIKE = 0.1


def judge_claims(study: AdaptiveStudy) -> "pandas.DataFrame":
    """Give one row per claim, in the order of their numbers."""
    claims = [
        _inference(study),
        _models_alike(study),
        _same_order(study),
        *judge_sequences(study),
        _negative(study),
        _model_matters(study),
    ]
    return claims_frame(sorted(claims, key=lambda claim: int(claim.claim[1:])))


def _rmse(study: AdaptiveStudy, model: str) -> np.ndarray:
    return np.array([m.inference.rmse[model].mean() for m in study.measures.values()])


def _list(values: np.ndarray, digits: int = 3) -> str:
    return ", ".join(f"{value:.{digits}f}".replace("0.", ".", 1) for value in values)


def _inference(study: AdaptiveStudy) -> Claim:
    sd = np.array([m.inference.sd for m in study.measures.values()])
    floor = np.array([m.inference.floor for m in study.measures.values()])
    shares = {model: _rmse(study, model) / sd for model in PAPER_MODELS}
    best = np.minimum(*(_rmse(study, model) for model in PAPER_MODELS))
    bounds = np.sqrt(np.minimum(*(np.array(PAPER_MSE[model]) for model in PAPER_MODELS)))
    is_far = [bool((share <= _FAR_BELOW).all()) for share in shares.values()]
    texts = "; ".join(f"{model} {_list(_rmse(study, model))}" for model in PAPER_MODELS)
    return Claim(
        "A1",
        "Both models infer unseen measurements with an error far below the population's spread",
        "printed .0135, .0056, .0438, .0092, .0176, .0515 (logit-normal), as mean squared errors: "
        f"RMSE {_list(np.sqrt(PAPER_MSE['logit-normal']))}",
        f"RMSE {texts}; spread {_list(sd)}; noise of one measurement {_list(floor)}; "
        f"at most the paper's on {int((best <= bounds).sum())} of {len(sd)} measures",
        judge(all(is_far), any((share <= _FAR_BELOW).sum() >= 4 for share in shares.values())),
        f"Above half the spread: {_above(study, shares)}. Half of the measurements are unseen; "
        f"{_repeated(study):.0%} of the cells were measured more than once.",
        is_headline=True,
    )


def _repeated(study: AdaptiveStudy) -> float:
    """Share of the cells with repeats, the same for all measures."""
    return next(iter(study.measures.values())).inference.repeated


def _above(study: AdaptiveStudy, shares: dict[str, np.ndarray]) -> str:
    names = list(study.measures)
    found = [
        f"{names[place]} ({model})"
        for model, share in shares.items()
        for place in np.flatnonzero(share > _FAR_BELOW)
    ]
    return ", ".join(found) or "none"


def _models_alike(study: AdaptiveStudy) -> Claim:
    first, second = (_rmse(study, model) for model in PAPER_MODELS)
    gaps = second / first - 1
    alike = int((np.abs(gaps) <= _ALIKE).sum())
    return Claim(
        "A2",
        "Logit-normal and β³ are alike on most measures",
        "six pairs; weighted accuracy .0092 against .0237",
        "β³ against logit-normal, RMSE: " + ", ".join(f"{gap:+.0%}" for gap in gaps),
        judge(alike >= 4, alike >= 3),
        "The paper's exception, weighted accuracy, is none here.",
    )


def _same_order(study: AdaptiveStudy) -> Claim:
    from scipy.stats import spearmanr

    ranks, inside, outside = [], [], []
    for found in study.measures.values():
        first, second = (found.fits[model] for model in PAPER_MODELS)
        t, u = (fit.respondents["ability"].to_numpy() for fit in (first, second))
        ranks.append(float(spearmanr(t, u).statistic))
        near, far = _curve_gaps(first, second, t, u)
        inside.append(near)
        outside.append(far)
    closer = np.array(inside) < np.array(outside)
    return Claim(
        "A3",
        "Both models order abilities alike; their curves agree where responses are dense",
        "none",
        f"ρ of abilities {_list(np.array(ranks), 2)}; mean distance of curves inside the pool's "
        f"abilities {_list(np.array(inside))}, outside {_list(np.array(outside))}",
        judge(min(ranks) > 0.9 and bool(closer.all()), float(np.median(ranks)) > 0.9),
        "Scales are matched by the line through the pool's abilities.",
    )


def _curve_gaps(
    first: "FitResult", second: "FitResult", t: np.ndarray, u: np.ndarray
) -> tuple[float, float]:
    """Mean distance of two models' curves between the pool's extremes and one range beyond."""
    slope, origin = np.polyfit(t, u, 1)
    low, high = np.quantile(t, [0.05, 0.95])
    reach = high - low
    found = []
    for points in (
        np.linspace(low, high, 21),
        np.concatenate([np.linspace(low - reach, low, 21), np.linspace(high, high + reach, 21)]),
    ):
        curves = (
            first.bank.expected_response(points),
            second.bank.expected_response(origin + slope * points),
        )
        found.append(float(np.abs(curves[0] - curves[1]).mean()))
    return found[0], found[1]


def _negative(study: AdaptiveStudy) -> Claim:
    from scipy.stats import norm

    shares = {}
    for model in PAPER_MODELS:
        found = []
        for measure in study.measures.values():
            items = measure.free[model].items
            ratio = items["discrimination"] / items["discrimination_se"]
            found.append(float((norm.cdf(-ratio.to_numpy()) > 0.95).mean()))
        shares[model] = np.array(found)
    largest = max(float(share.max()) for share in shares.values())
    texts = "; ".join(f"{model} {_list(share)}" for model, share in shares.items())
    return Claim(
        "A12",
        "Data sets need no negative discrimination",
        "argued, not measured",
        f"share with P(a < 0) > 0.95, sign free: {texts}",
        judge(largest <= 0.01, largest <= 0.10),
        ""
        if largest <= 0.01
        else "On data sets where classifiers differ less: " + _without_signal(study),
    )


def _without_signal(study: AdaptiveStudy) -> str:
    """Mean accuracy of the data sets whose discrimination is negative, against the others."""
    found = study.measures["accuracy"].free[PAPER_MODELS[0]].items
    is_negative = (found["discrimination"] + 1.645 * found["discrimination_se"] < 0).to_numpy()
    spread = np.nanstd(study.measures["accuracy"].fits[PAPER_MODELS[0]].responses.array(), axis=0)
    if not is_negative.any():
        return "none by accuracy."
    names = [study.table.datasets[place] for place in np.flatnonzero(is_negative)]
    return (
        f"by accuracy {len(names)} ({', '.join(names[:3])}…), where classifiers differ by "
        f"{spread[is_negative].mean():.3f} (sd), by {spread[~is_negative].mean():.3f} elsewhere."
    )


def _model_matters(study: AdaptiveStudy) -> Claim:
    finals = {
        model: np.array(
            [m.sequences[model]["fisher"].rmse[..., -1].mean() for m in study.measures.values()]
        )
        for model in PAPER_MODELS
    }
    first, second = finals.values()
    gaps = second / first - 1
    texts = "; ".join(f"{model} {_list(values)}" for model, values in finals.items())
    return Claim(
        "A13",
        "The choice of model matters for the final error",
        "β³ .0781 against logit-normal .0838 (accuracy, gradient boosting)",
        f"final RMSE, mean of five: {texts} ({', '.join(f'{gap:+.0%}' for gap in gaps)})",
        judge(bool((np.abs(gaps) > 0.05).sum() >= 4), bool((np.abs(gaps) > 0.05).any())),
        "The order is the other way round: logit-normal is the better one here."
        if (gaps > 0).sum() >= 4
        else "",
    )
