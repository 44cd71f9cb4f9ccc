"""Kept analyses carry the version of what they say; other numbers need another version.

`pinned_analyses.json` holds what the versions of today give. Where a test here fails because an
analysis was changed on purpose, raise its version in `kept_findings.py` and write the file anew::

    python tests/analysis/keeping/test_kept_findings.py
"""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.analysis.findings.all_findings import findings
from itemcurve.analysis.keeping.kept_findings import FINDINGS_VERSION, ITEM_FIT_VERSION
from itemcurve.analysis.model_fit.item_fit import item_fit

PINNED = Path(__file__).with_name("pinned_analyses.json")
COLUMNS = ("outfit", "infit", "statistic", "degrees_of_freedom", "p_value")


def analyse(model):
    """Give everything that is kept of a run with something to find."""
    fit = known_fit(model)
    found = item_fit(fit)
    return {
        "item_fit": {name: np.round(getattr(found, name), 4).tolist() for name in COLUMNS},
        "test": found.test,
        "findings": [
            [f.code, f.severity, f.message, f.advice, list(f.concerned)] for f in findings(fit)
        ],
    }


def known_fit(model):
    """Give a fit at rounded numbers: where exactly a search ends must not matter here."""
    drawn = ic.simulate(model, respondents=150, items=10, seed=6)
    cells, rng = drawn.responses.array(), np.random.default_rng(6)
    # The last two are mostly answered alike, the first backwards.
    cells[:, 9] = np.where(rng.random(150) < 0.8, cells[:, 8], cells[:, 9])
    cells[:, 0] = np.max(cells) - cells[:, 0]
    # What the numbers are pinned to is the analysis, not how priors are chosen.
    method = ic.Marginal(item_priors="fixed")
    fit = ic.fit(ic.Responses.from_array(cells), model, method=method)
    own = fit.estimates
    values = np.round(own.values, 1)
    return replace(
        fit,
        estimates=replace(
            own,
            values=values,
            item_columns=dict(own.model.report(values)),
            item_errors={name: np.full(10, 0.1) for name in own.item_errors},
            covariance=np.tile(0.01 * np.eye(own.covariance.shape[1]), (10, 1, 1)),
            ability_points=np.round(own.ability_points, 1),
            ability_point_errors=np.full((150, 1), 0.3),
        ),
    )


@pytest.fixture(scope="module")
def pinned():
    return json.loads(PINNED.read_text())


@pytest.mark.parametrize("model", ["2pl", "beta3"])
def test_numbers_and_words_change_with_their_version(model, pinned):
    assert pinned["versions"] == [ITEM_FIT_VERSION, FINDINGS_VERSION]
    found, known = analyse(model), pinned[model]
    assert (found["test"], found["findings"]) == (known["test"], known["findings"])
    for name in COLUMNS:
        np.testing.assert_allclose(
            found["item_fit"][name], known["item_fit"][name], rtol=1e-3, atol=1e-3
        )


if __name__ == "__main__":
    today = {model: analyse(model) for model in ("2pl", "beta3")}
    today["versions"] = [ITEM_FIT_VERSION, FINDINGS_VERSION]
    PINNED.write_text(json.dumps(today, indent=1, ensure_ascii=False) + "\n")
