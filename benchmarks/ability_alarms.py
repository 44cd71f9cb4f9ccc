"""How often findings about the shape and the number of abilities are false, and how often right.

`python -m benchmarks.run --only ability_alarms` goes on where it was interrupted.
"""

import json
from pathlib import Path

import numpy as np
from scipy.stats import binomtest

import itemcurve as ic
from benchmarks.false_alarms import LEVEL, draw
from benchmarks.section import Column, Options, Row, Section, show_progress

REPLICATES = Path(__file__).parent / "results" / "ability_alarms_replicates.json"
_STEP = 20
# Respondents, items, shape of abilities, replicates.
SHAPES = {
    "IRT023, normal, 200 x 20": (200, 20, "normal", 500),
    "IRT023, normal, 800 x 20": (800, 20, "normal", 500),
    "IRT023, skewed (Gamma 1.5), 200 x 20": (200, 20, "skewed", 200),
    "IRT023, skewed (Gamma 1.5), 800 x 20": (800, 20, "skewed", 200),
    "IRT023, two kinds, 200 x 20": (200, 20, "two kinds", 200),
    "IRT023, two kinds, 800 x 20": (800, 20, "two kinds", 200),
}
# Respondents, items of each ability, correlation, replicates.
CORRELATIONS = {
    "IRT050, correlation .7, 200 x (10 + 10)": (200, 10, 0.7, 500),
    "IRT050, correlation .7, 400 x (20 + 20)": (400, 20, 0.7, 500),
    "IRT050, correlation .9, 200 x (10 + 10)": (200, 10, 0.9, 100),
    "IRT050, correlation .9, 400 x (20 + 20)": (400, 20, 0.9, 100),
    "IRT050, one ability, 200 x (10 + 10)": (200, 10, 1.0, 100),
    "IRT050, one ability, 400 x (20 + 20)": (400, 20, 1.0, 100),
}


def shape(design: tuple, seed: int) -> tuple[bool, float]:
    """Whether abilities are said not to be normal, and the p-value of the test."""
    respondents, items, kind, _ = design
    rng = np.random.default_rng([seed, respondents, items])
    abilities = rng.normal(size=respondents)
    if kind == "skewed":
        abilities = (rng.gamma(1.5, size=respondents) - 1.5) / 1.5**0.5
    elif kind == "two kinds":
        side = np.where(rng.random(respondents) < 0.5, -1.0, 1.0)
        abilities = 0.95 * side + 0.3 * abilities
    slopes, difficulties = np.exp(0.3 * rng.normal(size=items)), rng.normal(size=items)
    responses = ic.Responses.from_array(draw(rng, abilities, slopes, difficulties))
    method = ic.Marginal(over="respondents")
    fit = ic.fit(responses, "2pl", method=method, on_failure="ignore")
    found = fit.check_normality()
    is_far = abs(found.skewness) >= 0.5 or abs(found.kurtosis) >= 1.5
    return bool(found.p_value < 1e-3 and is_far), found.p_value


def sameness(design: tuple, seed: int) -> tuple[bool, float]:
    """Whether two abilities are said to be perhaps one; there is no test behind it."""
    respondents, items, correlation, _ = design
    rng = np.random.default_rng([seed, respondents, items])
    spread = np.array([[1.0, correlation], [correlation, 1.0]])
    both = rng.multivariate_normal([0.0, 0.0], spread, size=respondents)
    slopes, difficulties = np.exp(0.3 * rng.normal(size=2 * items)), rng.normal(size=2 * items)
    answers = [
        draw(rng, both[:, side], *(own[side * items : (side + 1) * items] for own in two))
        for side, two in enumerate([(slopes, difficulties)] * 2)
    ]
    names = [f"{side}_{k}" for side in "ab" for k in range(items)]
    responses = ic.Responses.from_array(np.hstack(answers), items=names)
    fit = ic.fit(responses, "2pl", dimensions={"a": ["a_*"], "b": ["b_*"]}, on_failure="ignore")
    return "IRT050" in [finding.code for finding in ic.findings(fit)], float("nan")


STUDIES = [
    *((name, shape, design) for name, design in SHAPES.items()),
    *((name, sameness, design) for name, design in CORRELATIONS.items()),
]


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Run what is missing, a few replicates of each design in turn, and keep them after each."""
    kept = json.loads(REPLICATES.read_text()) if REPLICATES.exists() else {}
    most = max(design[-1] for _, _, design in STUDIES)
    for goal in [2] if options.small else range(_STEP, most + 1, _STEP):
        for name, study, design in STUDIES:
            rows = kept.setdefault(name, [])
            while len(rows) < min(goal, design[-1]):
                rows.append(study(design, len(rows)))
        if not options.small:
            REPLICATES.write_text(json.dumps(kept))
        show_progress(f"{goal} replicates")
    return [{"design": name, **summary(kept[name])} for name, _, _ in STUDIES]


def summary(rows: list) -> Row:
    """Rates, with the exact 95 % interval of the finding's."""
    count = sum(bool(row[0]) for row in rows)
    ends = binomtest(count, len(rows)).proportion_ci(0.95)
    chances = np.array([row[1] for row in rows], dtype=float)
    known = chances[np.isfinite(chances)]
    return {
        "replicates": len(rows),
        "flagged": count / len(rows),
        "interval": f"{ends.low:.3f} to {ends.high:.3f}",
        "below_level": float((known < LEVEL).mean()) if known.size else None,
    }


SECTION = Section(
    "ability_alarms",
    "Findings about abilities: false and right ones",
    "Simulated 2PL data. IRT023 says that abilities are not normal: false where they are. Beside "
    "it the share of tests below .05 (`fit.check_normality()`), 5 % where abilities are normal. "
    "Two kinds: half of the respondents 1.9 above the others. IRT050 says that two abilities "
    "may be one: false where they correlate by .7, right where there is one; .9 lies between.",
    (
        Column("design", "design"),
        Column("replicates", "replicates"),
        Column("flagged", "finding", ".3f"),
        Column("interval", "95 %"),
        Column("below_level", "p < .05", ".3f"),
    ),
    measure,
)
