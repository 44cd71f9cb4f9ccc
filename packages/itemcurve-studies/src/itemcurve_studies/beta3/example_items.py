"""Items in the plane, and what the classifiers answer to four of them (figures 4 and 6)."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.evaluation.noise.added_noise import flip_labels
from itemcurve_studies.beta3.fits import fit_way, predict_case, relabel
from itemcurve_studies.beta3.sweep import PAPER_NOISE, draw_case
from itemcurve_studies.study.finished_parts import FinishedParts, Tables, join_parts

if TYPE_CHECKING:
    import pandas

SHAPES = ("moons", "clusters")
# As the paper's four panels: clean far and near, noisy near and far.
KINDS = ("clean, far", "clean, near", "flipped, near", "flipped, far")
_SEED = 0


def measure_examples(parts: FinishedParts, names: Sequence[str] = SHAPES) -> Tables:
    """Give `example_items` and `example_answers` of the first draw at the paper's noise."""
    done = [parts.tables(f"examples-{name}", partial(_measure, name)) for name in names]
    return join_parts(done)


def _measure(name: str) -> Tables:
    import pandas

    case = draw_case(Path(), name, _SEED, 0)
    # The seed of the sweep at this share, so that the items are those of its tables.
    noisy = flip_labels(case.y_test, PAPER_NOISE, 1000 * _SEED + 2)
    given = relabel(predict_case(case, _SEED), np.asarray(noisy.values))
    found = fit_way(given, "published")
    columns = found.estimates.item_columns
    items = pandas.DataFrame(
        {
            "data": name,
            "x": case.X_test[:, 0],
            "y": case.X_test[:, 1],
            "label": np.asarray(noisy.values),
            "flipped": noisy.changed,
            "distance": case.distance,
            "difficulty": np.asarray(columns["difficulty"]),
            "discrimination": np.asarray(columns["discrimination"]),
        }
    )
    chosen = pick_kinds(items)
    abilities = found.respondents
    answers = [
        pandas.DataFrame(
            {
                "data": name,
                "kind": kind,
                "respondent": abilities["respondent"],
                "ability": abilities["ability_01"],
                "response": found.responses.array()[:, place],
                "difficulty": items["difficulty"][place],
                "discrimination": items["discrimination"][place],
            }
        )
        for kind, place in chosen.items()
    ]
    return {"example_items": items, "example_answers": pandas.concat(answers, ignore_index=True)}


def pick_kinds(items: "pandas.DataFrame") -> dict[str, int]:
    """Of each kind the item whose distance is nearest to the first or the last tenth of all."""
    near, far = np.quantile(items["distance"], (0.1, 0.9))
    found = {}
    for kind in KINDS:
        own = items[items["flipped"] == kind.startswith("flipped")]
        goal = near if kind.endswith("near") else far
        found[kind] = int((own["distance"] - goal).abs().idxmin())
    return found
