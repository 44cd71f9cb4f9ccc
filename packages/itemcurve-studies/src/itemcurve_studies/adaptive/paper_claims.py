"""Claims on adaptive benchmarks by the paper's own protocol."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve_studies.adaptive.calibration import PAPER_MODELS
from itemcurve_studies.adaptive.experiment import AdaptiveStudy
from itemcurve_studies.adaptive.sequence_claims import PAPER_MEDIANS
from itemcurve_studies.adaptive.sequences import INFORMED
from itemcurve_studies.adaptive.tables import convergence_frame
from itemcurve_studies.study.claims import judge
from itemcurve_studies.study.second_verdicts import SecondVerdict

if TYPE_CHECKING:
    import pandas

_SMALL, _SHARE = 0.05, 0.25
# Informed cells of the paper's own table IV that need fewer and more tests than random.
_PAPER_FEWER, _PAPER_MORE, _PAPER_CELLS = 70, 34, 120
_LITTLE = 1.01


def judge_by_paper(study: AdaptiveStudy) -> list[SecondVerdict]:
    """Judge A1, A8, A10 and A12."""
    return [_inference(study), _few_tests(study), _fewer_than_random(study), _signs(study)]


def _inference(study: AdaptiveStudy) -> SecondVerdict:
    errors = {
        model: np.array([np.mean(m.inference.rmse[model] ** 2) for m in study.measures.values()])
        for model in PAPER_MODELS
    }
    variance = np.array([m.inference.sd**2 for m in study.measures.values()])
    small = [int((own < _SMALL).sum()) for own in errors.values()]
    far = [int(((own < _SMALL) & (own <= _SHARE * variance)).sum()) for own in errors.values()]
    told = "; ".join(
        f"{model} {', '.join(f'{value:.4f}' for value in own)}" for model, own in errors.items()
    )
    return SecondVerdict(
        "A1",
        f"mean squared errors {told}; variance {', '.join(f'{v:.3f}' for v in variance)}",
        judge(min(far) >= 4, min(small) >= 4),
        "; ".join(_spread(study, model) for model in PAPER_MODELS),
    )


def _spread(study: AdaptiveStudy, model: str) -> str:
    """Range over random halves, of accuracy."""
    values = study.measures["accuracy"].inference.rmse[model] ** 2
    return f"accuracy, {model}: {values.min():.4f} to {values.max():.4f} over halves"


def _few_tests(study: AdaptiveStudy) -> SecondVerdict:
    table = convergence_frame(study)
    kept = table[table["model"].isin(PAPER_MODELS) & table["rule"].isin(INFORMED)]
    cells = kept.set_index("measure")[list(study.candidates)]
    medians, quartiles = [], []
    for name in table["measure"].unique():
        own = cells.loc[[name]].to_numpy(np.float64)
        medians.append(float(np.median(own)))
        quartiles.append(np.quantile(own, [0.25, 0.75]))
    reached = sum(ours <= paper for ours, paper in zip(medians, PAPER_MEDIANS, strict=True))
    return SecondVerdict(
        "A8",
        f"medians of informed cells {', '.join(f'{value:g}' for value in medians)}; at most the "
        f"paper's on {reached} of 6",
        judge(reached == 6, reached >= 4),
        "quartiles " + ", ".join(f"{low:g} to {high:g}" for low, high in quartiles),
    )


def _fewer_than_random(study: AdaptiveStudy) -> SecondVerdict:
    from scipy.stats import binomtest

    informed, random = [], []
    for found in study.measures.values():
        for model in PAPER_MODELS:
            for rule in INFORMED:
                informed.append(found.sequences[model][rule].typical)
                random.append(found.sequences[model]["random"].typical)
    first, second = np.concatenate(informed), np.concatenate(random)
    count, fewer, more = len(first), int((first < second).sum()), int((first > second).sum())
    ends = binomtest(fewer, count).proportion_ci(0.95, method="wilson")
    parts = (
        fewer / count >= _PAPER_FEWER / _PAPER_CELLS,
        more / count <= _PAPER_MORE / _PAPER_CELLS,
    )
    return SecondVerdict(
        "A10",
        f"fewer in {fewer}, more in {more} of {count}; in the paper's table IV {_PAPER_FEWER} and "
        f"{_PAPER_MORE} of {_PAPER_CELLS}",
        judge(all(parts), any(parts)),
        f"fewer: {ends.low:.0%} to {ends.high:.0%}",
    )


def _signs(study: AdaptiveStudy) -> SecondVerdict:
    table = study.signs
    ratio = table["positive"] / table["free"]
    fine = ratio <= _LITTLE
    return SecondVerdict(
        "A12",
        f"RMSE with positive slopes at most 1 % above that with free ones in {int(fine.sum())} of "
        f"{len(table)} cases; {_by_measure(table)}",
        judge(bool(fine.mean() >= 0.9), bool(fine.mean() >= 0.5)),
        f"ratio {ratio.quantile(0.025):.3f} to {ratio.quantile(0.975):.3f}, median "
        f"{ratio.median():.3f}",
    )


def _by_measure(table: "pandas.DataFrame") -> str:
    ratios = (table["positive"] / table["free"]).groupby(table["measure"], sort=False).mean()
    return ", ".join(f"{name} {value:.3f}" for name, value in ratios.items())
