"""False alarms of tests for items that differ between groups, where none does.

`python -m benchmarks.group_differences [replicates]` writes `results/group_differences.json`, and
goes on where it was interrupted. A replicate counts as a false alarm when any item is flagged at a
false-discovery rate of 5 %, which under no difference at all is the chance of any false flag; and
`first_item` counts the unadjusted p-value of one item below 5 %.
"""

import json
import sys
from pathlib import Path

import numpy as np
from scipy.stats import binomtest

import itemcurve as ic

RESULTS = Path(__file__).parent / "results" / "group_differences.json"
LEVEL = 0.05
# Respondents of both groups, items, mean and sd of the second group, test.
DESIGNS = {
    "300+300 x 20, alike, score": (300, 300, 20, 0.0, 1.0, "score"),
    "300+300 x 20, second abler, score": (300, 300, 20, 0.5, 1.3, "score"),
    "40+40 x 60, second abler, score": (40, 40, 60, 0.5, 1.0, "score"),
    "250+250 x 10, second abler, likelihood ratio": (250, 250, 10, 0.5, 1.3, "likelihood-ratio"),
    "250+250 x 10, second abler, Wald": (250, 250, 10, 0.5, 1.3, "wald"),
}


def null_responses(design: tuple, seed: int) -> tuple[ic.Responses, list[str]]:
    """Two groups that the same items measure."""
    first, second, n_items, mean, sd, _ = design
    rng = np.random.default_rng([seed, first, n_items])
    abilities = np.concatenate([rng.normal(size=first), mean + sd * rng.normal(size=second)])
    slopes, difficulties = np.exp(0.3 * rng.normal(size=n_items)), rng.normal(size=n_items)
    chance = 1 / (1 + np.exp(-slopes * (abilities[:, None] - difficulties)))
    observed = (rng.random(chance.shape) < chance).astype(float)
    return ic.Responses.from_array(observed), ["first"] * first + ["second"] * second


def replicate(design: tuple, seed: int) -> tuple[bool, bool, float]:
    """Whether any item is flagged, whether the first is below 5 %, and the share of those below."""
    responses, labels = null_responses(design, seed)
    kept = np.ptp(responses.array(), axis=0) > 0
    responses = responses.take(None, np.flatnonzero(kept).tolist())
    found = ic.dif(responses, labels, test=design[-1], level=LEVEL)
    below = found.p_value < LEVEL
    return bool(found.flagged.any()), bool(below[0]), float(below.mean())


def main(replicates: int = 500) -> None:
    """Run what is missing, and write after every tenth replicate."""
    kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for name, design in DESIGNS.items():
        rows = kept.get(name, {}).get("rows", [])
        while len(rows) < replicates:
            rows.append(replicate(design, len(rows)))
            if len(rows) % 10 == 0:
                kept[name] = {"rows": rows, **summary(rows)}
                RESULTS.write_text(json.dumps(kept))
        print(name, summary(rows), flush=True)


def summary(rows: list) -> dict:
    """Rates with exact 95 % intervals."""
    found: dict[str, object] = {"replicates": len(rows)}
    for place, word in ((0, "any_flag"), (1, "first_item")):
        count = sum(bool(row[place]) for row in rows)
        ends = binomtest(count, len(rows)).proportion_ci(0.95)
        found[word] = [count / len(rows), round(ends.low, 4), round(ends.high, 4)]
    found["all_items"] = float(np.mean([row[2] for row in rows]))
    return found


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
