"""Tables of the Γ study: the data of its figures."""

from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve_studies.gamma.experiment import GammaStudy
from itemcurve_studies.gamma.item_claims import ENDS, HARD, correlate_items, pick_examples
from itemcurve_studies.gamma.polynomial import SIGMAS, Polynomial
from itemcurve_studies.gamma.real_estate import RealEstate
from itemcurve_studies.gamma.regressors import METHODS, RESPONDENTS
from itemcurve_studies.gamma.variation import measure_variation

if TYPE_CHECKING:
    import pandas


def list_tables(study: GammaStudy) -> dict[str, "pandas.DataFrame"]:
    """Give every table by name."""
    polynomial, houses = study.polynomial, study.real_estate
    return {
        "examples": _examples(polynomial),
        "items_by_noise": _items_by_noise(polynomial),
        "abilities_by_noise": _abilities_by_noise(polynomial),
        "variation": _variation(polynomial),
        **({} if houses is None else {"real_estate": _real_estate(houses)}),
        "times": _times(polynomial),
    }


def _examples(study: Polynomial) -> "pandas.DataFrame":
    """Table I: responses to a hard and an easy item at σ = 0.25."""
    import pandas

    hard, easy = pick_examples(study)
    middle = study.scores[0, len(SIGMAS) // 2]
    columns = {"respondent": RESPONDENTS, "hard": middle[:, hard], "easy": middle[:, easy]}
    return pandas.DataFrame(columns)


def _items_by_noise(study: Polynomial) -> "pandas.DataFrame":
    """Figures 6 and 7: means over data sets by level, region and method."""
    import pandas

    x = study.x
    regions = {
        "all": np.ones_like(x, dtype=bool),
        "x in [0.4, 1.0]": (x >= HARD[0]) & (x <= HARD[1]),
        "centre": np.abs(x) <= ENDS,
        "ends": np.abs(x) > ENDS,
    }
    rows = []
    for m, method in enumerate(METHODS):
        pearson = correlate_items(study, m, "pearson").mean(axis=0)
        for level, sigma in enumerate(SIGMAS):
            d, a = (v[:, level, m] for v in (study.difficulty, study.discrimination))
            rows += [
                {
                    "method": method,
                    "sigma": sigma,
                    "region": name,
                    "difficulty": d[inside].mean(),
                    "discrimination": a[inside].mean(),
                    "negative": (a[inside] < 0).mean(),
                    "correlation": pearson[level] if name == "all" else np.nan,
                }
                for name, inside in regions.items()
            ]
    return pandas.DataFrame(rows)


def _abilities_by_noise(study: Polynomial) -> "pandas.DataFrame":
    """Figure 8: abilities and errors by level and respondent, with standard errors."""
    import pandas

    root = np.sqrt(len(study.x))
    rows = []
    for level, sigma in enumerate(SIGMAS):
        for place, respondent in enumerate(RESPONDENTS):
            row = {"sigma": sigma, "respondent": respondent}
            for m, method in enumerate(METHODS):
                values = study.abilities[:, level, m, place]
                row |= {f"ability {method}": values.mean(), f"se {method}": values.std() / root}
            row["normalised_error_median"] = np.median(study.errors[:, level, place])
            row["mae"] = study.absolute[:, level, place].mean()
            rows.append(row)
    return pandas.DataFrame(rows)


def _variation(study: Polynomial) -> "pandas.DataFrame":
    """Figure 9: %Δability − %ΔMAE by method, step and respondent."""
    import pandas

    rows = []
    for m, method in enumerate(METHODS):
        found = measure_variation(study, m)
        gaps = found.ability - found.absolute
        for step, gap in enumerate(gaps, start=1):
            rows.append({"method": method, "step": step} | dict(zip(RESPONDENTS, gap, strict=True)))
    return pandas.DataFrame(rows)


def _real_estate(study: RealEstate) -> "pandas.DataFrame":
    """Figure 12: abilities and normalised errors, means over splits."""
    import pandas

    table: dict[str, Any] = {"respondent": RESPONDENTS}
    for m, method in enumerate(METHODS):
        values = study.abilities[:, m]
        table |= {f"ability {method}": values.mean(axis=0), f"sd {method}": values.std(axis=0)}
    table["mean_normalised_error"] = study.errors.mean(axis=0)
    table["median_of_splits"] = np.median(study.errors, axis=0)
    table["mae"] = study.absolute.mean(axis=0)
    return pandas.DataFrame(table)


def _times(study: Polynomial) -> "pandas.DataFrame":
    """Processor seconds of the fits."""
    import pandas

    seconds = study.seconds
    return pandas.DataFrame(
        {
            "method": list(METHODS),
            "fits": seconds[..., 0].size,
            "seconds": seconds.sum(axis=(0, 1)),
            "seconds_per_fit": seconds.mean(axis=(0, 1)),
        }
    )
