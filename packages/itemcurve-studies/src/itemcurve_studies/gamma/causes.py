"""Why claims of the Γ paper do not hold in full: what was tried, in numbers."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from itemcurve.estimation.fit import fit
from itemcurve.responses.matrix import Responses
from itemcurve_studies.gamma.evidence import places
from itemcurve_studies.gamma.item_claims import ENDS, HARD
from itemcurve_studies.gamma.polynomial import Polynomial
from itemcurve_studies.gamma.regressors import LINEAR, METHODS, NONLINEAR, REFERENCES
from itemcurve_studies.gamma.variation import measure_variation

Floats = NDArray[np.float64]


def try_without_lines(study: Polynomial) -> str:
    """Say where the easiest items lie without noise, with and without the linear regressors."""
    found = []
    for is_without in (False, True):
        own = [
            _fit_nonlinear(scores[0]) if is_without else difficulty[0, 0]
            for scores, difficulty in zip(study.scores, study.difficulty, strict=True)
        ]
        found.append(_place_easiest(study.x, own))
    with_lines, without = (
        f"{ends:.0%} lie at the ends, {near:.0%} between 1 and {ENDS} and {middle:.0%} between −1 "
        f"and {HARD[0]}"
        for ends, near, middle in found
    )
    return (
        f"Tested on the {len(study.x)} data sets of our own rule: of the easiest tenth "
        f"{with_lines}, where the line of the linear regressors crosses the curve and makes them "
        f"err as little as all others; fitted without these three, {without}."
    )


def _place_easiest(x: Floats, difficulty: Sequence[Floats]) -> tuple[float, float, float]:
    """Shares of the easiest tenth at the ends, just before them, and left of the hard region."""
    tenth = max(1, round(x.shape[1] / 10))
    easiest = np.array(
        [own[np.argsort(hard)[:tenth]] for own, hard in zip(x, difficulty, strict=True)]
    )
    far = np.abs(easiest)
    return (
        float((far > ENDS).mean()),
        float(((far > 1) & (far <= ENDS)).mean()),
        float(((far <= 1) & (easiest < HARD[0])).mean()),
    )


def _fit_nonlinear(scores: Floats) -> Floats:
    """Difficulties by the published objective without linear regressors, references made anew."""
    own = scores[places(NONLINEAR)]
    average = scores[places(["Average"])]
    known = np.concatenate([own, average])
    rows = {"Optimal": known.max(axis=0), "Average": average[0], "Worst": known.min(axis=0)}
    found = fit(
        Responses.from_array(
            np.concatenate([own, [rows[name] for name in REFERENCES]]), (*NONLINEAR, *REFERENCES)
        ),
        "beta3",
        method=METHODS["as published"],
        boundary="clip",
        on_failure="ignore",
    )
    return found.items["difficulty"].to_numpy(np.float64)


def find_where_lines_vary(study: Polynomial) -> str:
    """Say at which steps linear and Bayesian ridge regression vary more in ability, and why."""
    lines = places(LINEAR[:2])
    by = [measure_variation(study, method) for method in range(len(METHODS))]
    more = [(one.ability - one.absolute)[:, lines] > 0 for one in by]
    steps = [int(own.all(axis=1).sum()) for own in more]
    first = int(np.argmin(more[0].all(axis=1))) if not more[0].all() else len(more[0])
    odds = float((by[0].odds > by[0].absolute)[:, lines].mean())
    ends = [float(one.ability[-1, lines].mean()) for one in by]
    last = float(by[0].absolute[-1, lines].mean())
    return (
        f"Tested by steps: as published both vary more in ability at each of the first {first}, "
        f"and at {steps[0]} of all {len(more[0])}. There the ability of a straight line stops at "
        f"{ends[0]:+.0f}%, drawn to 0.5 by priors that weigh as much as all its answers, while its "
        f"MAE, to which noise adds in squares, goes on to {last:+.0f}%. By joint MAP, whose priors "
        f"weigh as one answer more, ability ends at {ends[1]:+.0f}% and varies more at {steps[1]}; "
        f"as odds, without an upper end, the published one varies more in {odds:.0%} of the cells."
    )
