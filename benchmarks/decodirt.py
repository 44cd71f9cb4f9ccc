"""Our 3PL against 24,005 published items: 60 data sets, 132 classifiers each, fitted with R ltm."""

import os
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import log_expit, logsumexp
from scipy.stats import spearmanr

import itemcurve
from benchmarks.report import save_rows
from benchmarks.section import Column, Options, Row, Section, show_progress
from itemcurve.estimation.marginal.settings import Marginal
from itemcurve.responses.matrix import Responses

# Fine enough for posteriors of 500 items, whose standard deviation is near 0.05.
_NODES = np.linspace(-8.0, 8.0, 4_001)
# Without priors many items have no finite maximum and the climb creeps on; what it has after so
# many passes is a lower bound of the maximum, which is all the comparison needs. Where the bound
# does not settle it, more passes follow.
_PASSES = (80, 300, 1_000)


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Fit each data set that has no row yet; rows are kept after each, so that runs resume."""
    folder = Path(os.environ.get("ITEMCURVE_DATA", "")) / "data" / "reference" / "decodirt"
    if not folder.is_dir():
        show_progress("  skipped: ITEMCURVE_DATA names no folder with the published items")
        return cached
    tables = {
        path.name.split(".")[0]: pd.read_csv(path, dtype={"responses": str})
        for path in folder.iterdir()
    }
    names = sorted(tables["item_parameters_3pl"]["dataset"].unique())
    rows = [] if options.small else [row for row in cached if row["dataset"] in names]
    done = {row["dataset"] for row in rows}
    for name in names[:2] if options.small else names:
        if name not in done:
            mine = {key: table[table["dataset"] == name] for key, table in tables.items()}
            rows.append(_measure_set(name, mine))
            show_progress(f"  {rows[-1]}")
            if not options.small:
                save_rows(SECTION, rows)
    _summarise(rows)
    return rows


def _measure_set(name: str, tables: dict[str, pd.DataFrame]) -> Row:
    """Log-likelihoods of published and own items on the same nodes, and ranks of abilities."""
    published = tables["item_parameters_3pl"]
    responses = _responses(tables["calibration_responses"], published["item"])
    a, b, c = (published[key].to_numpy() for key in ("discrimination", "difficulty", "guessing"))
    y = responses.array()
    theirs = _log_likelihood(y, a, -a * b, c)
    started = perf_counter()
    for passes in _PASSES:
        free = _fit(responses, passes, prior=None)
        ours = _log_likelihood(y, *free.estimates.values.T[:3])
        if ours > theirs or free.status.is_converged:
            break
    seconds = perf_counter() - started
    default = _fit(responses, _PASSES[1])
    ours_default = _log_likelihood(y, *default.estimates.values.T[:3])
    cells = y.size
    return {
        "dataset": name,
        "items": y.shape[1],
        "published": theirs,
        "ours": ours,
        "ours_own": free.log_likelihood,
        "gain": (ours - theirs) / cells,
        "default_gap": (ours - ours_default) / cells,
        "passes": free.estimates.iterations,
        "status": free.status.name.lower(),
        "default_status": default.status.name.lower(),
        "seconds": seconds,
        **_compare_abilities(tables, default),
    }


def _fit(responses: Responses, passes: int, **settings: Any) -> itemcurve.FitResult:
    method = Marginal(over="respondents", standard_errors="blocks", max_iterations=passes)
    return itemcurve.fit(responses, "3pl", method=method, on_failure="ignore", **settings)


def _compare_abilities(
    tables: dict[str, pd.DataFrame], fit: itemcurve.FitResult
) -> dict[str, float]:
    """Rank correlations of the 19 classifiers' abilities: published, ours, accuracy."""
    scored = tables["clf_responses"].sort_values("clf_row")
    published = tables["clf_theta_scores"]
    responses = _responses(scored, pd.Series(fit.responses.items))
    ability = itemcurve.score(fit.bank, responses).ability
    accuracy = responses.means(axis=1)
    return {
        "rank_correlation": float(spearmanr(ability, published["theta"]).statistic),
        "with_accuracy": float(spearmanr(ability, accuracy).statistic),
        "published_with_accuracy": float(
            spearmanr(published["theta"], published["test_accuracy"]).statistic
        ),
        "same_accuracy": float(np.abs(accuracy - published["test_accuracy"].to_numpy()).max()),
    }


def _responses(table: pd.DataFrame, items: pd.Series) -> Responses:
    """Rows of 0 and 1, written as text, as responses."""
    y = np.array([[int(sign) for sign in row] for row in table["responses"]])
    return Responses.from_array(y, items=items)


def _log_likelihood(y: np.ndarray, a: np.ndarray, e: np.ndarray, c: np.ndarray) -> float:
    """Marginal log-likelihood under N(0, 1) abilities, one fixed fine grid for all parameters."""
    z = np.outer(_NODES, a) + e
    with np.errstate(divide="ignore"):
        right = np.logaddexp(np.log(c), np.log1p(-c) + log_expit(z))
    wrong = np.log1p(-c) + log_expit(-z)
    # A certain answer that was not given excludes a node; the bound keeps 0 · log 0 away.
    at_nodes = y @ np.maximum(right, -1e4).T + (1 - y) @ np.maximum(wrong, -1e4).T
    weights = -0.5 * _NODES**2
    return float(logsumexp(at_nodes + weights - logsumexp(weights), axis=1).sum())


def _summarise(rows: list[Row]) -> None:
    table = pd.DataFrame(rows)
    if table.empty:
        return
    higher = int((table["ours"] > table["published"]).sum())
    show_progress(f"  higher log-likelihood on {higher} of {len(table)}")
    show_progress(table.describe().loc[["mean", "min", "50%", "max"]].round(4).to_string())


SECTION = Section(
    name="decodirt",
    title="3PL against published items",
    notes="60 data sets of decodIRT, 132 classifiers each, items published as fitted by R ltm "
    "(three decimals). Log-likelihoods are marginal over N(0, 1) abilities on one fixed grid of "
    "4,001 nodes; ours is plain maximum likelihood over respondents, stopped after 80 passes where "
    "it is already higher, else after 300 or 1,000. The gap is what the default priors give up, in "
    "nats per response. Rank correlations are of the 19 classifiers that were "
    "scored: our abilities (EAP) against the published θ and against accuracy. Rows are kept in "
    "`results/decodirt.json`; delete it to measure anew.",
    columns=(
        Column("dataset", "data set"),
        Column("items", "items", "d"),
        Column("published", "published", ".1f"),
        Column("ours", "ours", ".1f"),
        Column("gain", "gain per response", ".4f"),
        Column("default_gap", "gap of the default", ".4f"),
        Column("default_status", "default"),
        Column("rank_correlation", "ranks, published θ", ".2f"),
        Column("with_accuracy", "ranks, accuracy", ".2f"),
        Column("published_with_accuracy", "published θ and accuracy", ".2f"),
        Column("passes", "passes", "d"),
        Column("status", "status"),
        Column("seconds", "seconds", ".1f"),
    ),
    measure=measure,
)

if __name__ == "__main__":
    # Where a run is long: `python -m benchmarks.decodirt` does this section alone.
    from benchmarks.report import load_rows

    measure(Options(), load_rows(SECTION))
