"""Scores of models on benchmarks that were left out lie in their intervals as often as said."""

import numpy as np
import pandas
import pytest

import itemcurve as ic

NO_SCORES = ["Model", "Model Family", "Model Size (B)", "Pretraining Data Size (T)"]
NO_SCORES += ["FLOPs (1E21)", "Arena-Elo"]


@pytest.mark.parametrize("settings", [{}, {"dimensions": 2}])
def test_left_out_scores_of_real_tables_lie_in_their_intervals(shared_data, settings):
    inside, off, rival, total = 0, 0.0, 0.0, 0
    for name in ("base", "instruct"):
        table = pandas.read_parquet(shared_data / "data" / "llm" / f"obsscaling_{name}_llm.parquet")
        values = table.drop(columns=NO_SCORES, errors="ignore").to_numpy(float)
        for seed in range(3):
            held = (np.random.default_rng(seed).random(values.shape) < 0.15) & ~np.isnan(values)
            seen = np.where(held, np.nan, values)
            known = ~np.isnan(seen).all(axis=1)
            responses = ic.Responses.from_array(seen[known])
            fit = ic.fit(responses, "logit-normal", on_failure="ignore", **settings)
            found, cells, truth = fit.predict(), held[known], values[known]
            inside += int(((found.lower <= truth) & (truth <= found.upper))[cells].sum())
            off += float(((found.mean - truth)[cells] ** 2).sum())
            rival += float(((np.nanmean(seen, axis=0) - truth)[cells] ** 2).sum())
            total += int(cells.sum())
    # A standard error of the share is one hundredth.
    assert inside / total == pytest.approx(0.9, abs=0.035)
    assert off < 0.25 * rival
