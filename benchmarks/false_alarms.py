"""False alarms where nothing is wrong: items that differ, respondents that do not fit, drift.

`python -m benchmarks.run --only false_alarms` goes on where it was interrupted. A replicate counts
as a false alarm when anything is flagged at a false-discovery rate of 5 %, which without any
difference is the chance of any false flag.
"""

import json
from pathlib import Path

import numpy as np
from scipy.stats import binomtest

import itemcurve as ic
from benchmarks.section import Column, Options, Row, Section, show_progress
from itemcurve.analysis.linking.bank_link import _by_curves
from itemcurve.analysis.linking.link_errors import drift_tests, item_spreads
from itemcurve.analysis.linking.linked_items import common_items

REPLICATES = Path(__file__).parent / "results" / "false_alarms_replicates.json"
LEVEL = 0.05
_STEP = 20
# Respondents of both groups, items, mean and sd of the second group, test.
DIFFERENCES = {
    "DIF, score, 300+300 x 20, alike": (300, 300, 20, 0.0, 1.0, "score"),
    "DIF, score, 300+300 x 20, second abler": (300, 300, 20, 0.5, 1.3, "score"),
    "DIF, likelihood ratio, 250+250 x 10, second abler": (
        250,
        250,
        10,
        0.5,
        1.3,
        "likelihood-ratio",
    ),
    "DIF, Wald, 250+250 x 10, second abler": (250, 250, 10, 0.5, 1.3, "wald"),
    "DIF, score, 40+40 x 60, second abler": (40, 40, 60, 0.5, 1.0, "score"),
    "DIF, likelihood ratio, 40+40 x 20, second abler": (40, 40, 20, 0.5, 1.0, "likelihood-ratio"),
    "DIF, Wald, 40+40 x 20, second abler": (40, 40, 20, 0.5, 1.0, "wald"),
}
# Respondents, items, model.
RESPONDENTS = {
    "person fit, 300 x 20, 2PL": (300, 20, "2pl"),
    "person fit, 200 x 100, 2PL": (200, 100, "2pl"),
    "person fit, 500 x 10, graded": (500, 10, "grm"),
    "person fit, 40 x 200, 2PL over items": (40, 200, "2pl"),
}
# Respondents of each year, items in common, of each year alone, priors.
DRIFTS = {
    "drift, 500 x (10 + 10), maximum likelihood": (500, 10, 10, None),
    "drift, 300 x (20 + 10), default priors": (300, 20, 10, "default"),
}


def draw(
    rng: np.random.Generator, abilities: np.ndarray, slopes: np.ndarray, difficulties: np.ndarray
) -> np.ndarray:
    """Answers of a 2PL."""
    chance = 1 / (1 + np.exp(-slopes * (abilities[:, None] - difficulties)))
    return (rng.random(chance.shape) < chance).astype(float)


def null_responses(design: tuple, seed: int) -> tuple[ic.Responses, list[str]]:
    """Two groups that the same items measure."""
    first, second, n_items, mean, sd, _ = design
    rng = np.random.default_rng([seed, first, n_items])
    abilities = np.concatenate([rng.normal(size=first), mean + sd * rng.normal(size=second)])
    slopes, difficulties = np.exp(0.3 * rng.normal(size=n_items)), rng.normal(size=n_items)
    observed = draw(rng, abilities, slopes, difficulties)
    return ic.Responses.from_array(observed), ["first"] * first + ["second"] * second


def difference(design: tuple, seed: int) -> tuple[bool, np.ndarray]:
    """Whether any item is flagged, and p-values."""
    responses, labels = null_responses(design, seed)
    kept = np.ptp(responses.array(), axis=0) > 0
    responses = responses.take(None, np.flatnonzero(kept).tolist())
    found = ic.dif(responses, labels, test=design[-1], level=LEVEL)
    return bool(found.flagged.any()), found.p_value


def respondent(design: tuple, seed: int) -> tuple[bool, np.ndarray]:
    """The same of respondents."""
    respondents, items, model = design
    drawn = ic.simulate(model, respondents=respondents, items=items, seed=seed).responses
    found = ic.person_fit(ic.fit(drawn, model, on_failure="ignore"))
    return bool(found.flagged.any()), found.p_value


def drift(design: tuple, seed: int) -> tuple[bool, np.ndarray]:
    """The same of items that two years share; the second year's models are abler."""
    respondents, common, own, prior = design
    rng = np.random.default_rng([seed, respondents, common])
    count = common + 2 * own
    slopes, difficulties = np.exp(0.3 * rng.normal(size=count)), rng.normal(size=count)
    years = []
    for year in range(2):
        items = np.r_[:common, common + year * own : common + (year + 1) * own]
        abilities = 0.5 * year + (1 + 0.3 * year) * rng.normal(size=respondents)
        answers = draw(rng, abilities, slopes[items], difficulties[items])
        responses = ic.Responses.from_array(answers, items=[f"i{k}" for k in items])
        settings = {} if prior else {"prior": None}
        years.append(ic.fit(responses, "2pl", on_failure="ignore", **settings))
    found = ic.link(*years)
    shared = common_items(years[0].bank, years[1].bank, None)
    at, pulls = _by_curves(shared, is_summed=True)
    plain = drift_tests(shared, (at[0], at[1]), pulls, item_spreads(shared, *years))
    return bool(found.drifted), plain


STUDIES = [
    *((name, difference, design) for name, design in DIFFERENCES.items()),
    *((name, respondent, design) for name, design in RESPONDENTS.items()),
    *((name, drift, design) for name, design in DRIFTS.items()),
]


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Run what is missing, a few replicates of each design in turn, and keep them after each."""
    replicates = 2 if options.small else 500
    kept = json.loads(REPLICATES.read_text()) if REPLICATES.exists() else {}
    for goal in [*range(_STEP, replicates, _STEP), replicates]:
        for name, study, design in STUDIES:
            rows = kept.setdefault(name, {"rows": []})["rows"]
            while len(rows) < goal:
                is_flagged, chances = study(design, len(rows))
                known = chances[np.isfinite(chances)]
                rows.append([is_flagged, bool(known[0] < LEVEL), float((known < LEVEL).mean())])
        if not options.small:
            REPLICATES.write_text(json.dumps(kept))
        show_progress(f"{goal} replicates")
    return [{"design": name, **summary(kept[name]["rows"])} for name, _, _ in STUDIES]


def summary(rows: list) -> Row:
    """Rates with exact 95 % intervals; liberal where the nominal 5 % lies below the interval."""
    found: Row = {"replicates": len(rows)}
    for place, word in ((0, "any_flag"), (1, "first")):
        count = sum(bool(row[place]) for row in rows)
        ends = binomtest(count, len(rows)).proportion_ci(0.95)
        found[word] = count / len(rows)
        found[f"{word}_interval"] = f"{ends.low:.3f} to {ends.high:.3f}"
        found[f"{word}_is_liberal"] = bool(ends.low > LEVEL)
    found["all"] = float(np.mean([row[2] for row in rows]))
    found["is_liberal"] = bool(found["any_flag_is_liberal"] or found["first_is_liberal"])
    return found


SECTION = Section(
    "false_alarms",
    "False alarms where nothing is wrong",
    "Simulated data in which no item differs between groups, no respondent is odd, no common item "
    "drifted. Anything flagged at a false-discovery rate of 5 % is a false alarm; `one` is the "
    "unadjusted p-value of one item or respondent below 5 %, `all` the share of all p-values "
    "below it. Liberal: 5 % lies below the exact 95 % interval of a rate.",
    (
        Column("design", "design"),
        Column("replicates", "replicates"),
        Column("any_flag", "any flag", ".3f"),
        Column("any_flag_interval", "95 %"),
        Column("first", "one", ".3f"),
        Column("first_interval", "95 %"),
        Column("all", "all", ".3f"),
        Column("is_liberal", "liberal"),
    ),
    measure,
)
