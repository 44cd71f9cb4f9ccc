"""Local dependence: pairs of items whose responses agree beyond what ability explains.

Yen's (1984) Q3 is the correlation of two items' residuals over the respondents who answered both;
of continuous responses, standardised residuals cut at ±3 are taken. LD-X² (Chen and Thissen 1997)
compares the table of both items' answers with the model's.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.evaluated_fits import takes_evaluations
from itemcurve.analysis.model_fit.item_margins import has_margins
from itemcurve.analysis.model_fit.pair_tables import PairTables, pair_tables
from itemcurve.analysis.model_fit.residuals import iterate_residuals
from itemcurve.errors import ModelError
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array

if TYPE_CHECKING:
    import pandas

_LEAST_SHARED = 10


@dataclass(frozen=True, eq=False)
class LocalDependence:
    """Pairs of items with the largest residual correlations.

    Attributes
    ----------
    first, second, q3 : the pairs, the most dependent first.
    mean_q3 : over all pairs; −1/(items − 1) is expected without dependence.
    critical : the correlation that one of this many independent pairs exceeds with
        probability 0.05.
    n_items : how many items were compared.
    tables : LD-X² of the listed pairs; None where responses are no categories, or respondents were
        not integrated out.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    q3: Array
    mean_q3: float
    critical: float
    n_items: int
    tables: PairTables | None = None

    @property
    def n_dependent(self) -> int:
        """Number of listed pairs that stand out: beyond the critical value and by 0.2 at least."""
        return int((self.q3 - self.mean_q3 > max(self.critical, 0.2)).sum())

    def frame(self) -> "pandas.DataFrame":
        """One row per pair: item, other_item, q3, excess over the mean; LD-X² where it is known.

        `ld_p_adjusted` is times the number of pairs that were compared (Bonferroni).
        """
        import pandas

        columns = {
            "item": self.first,
            "other_item": self.second,
            "q3": self.q3,
            "excess": self.q3 - self.mean_q3,
        }
        if self.tables is not None:
            pairs = self.n_items * (self.n_items - 1) / 2
            columns |= {
                "ld_x2": self.tables.statistic,
                "ld_degrees_of_freedom": self.tables.degrees_of_freedom,
                "ld_p_adjusted": np.minimum(self.tables.p_value * pairs, 1.0),
                "cramers_v": self.tables.cramers_v,
            }
        return pandas.DataFrame(columns)


@takes_evaluations
def local_dependence(fit: FitResult, *, pairs: int = 20, most_items: int = 2000) -> LocalDependence:
    """Find the pairs of items with the largest residual correlations.

    Parameters
    ----------
    pairs : how many to list.
    most_items : of more items, this many are compared, spread evenly over the columns.

    Examples
    --------
    >>> import itemcurve as ic
    >>> fit = ic.fit(ic.simulate("2pl", respondents=300, items=10, seed=1).responses)
    >>> ic.local_dependence(fit).n_dependent
    0
    """
    if pairs < 1 or most_items < 2:
        raise ModelError(
            "Local dependence needs at least 1 pair to list and 2 items to compare.",
            f"Got pairs={pairs}, most_items={most_items}.",
            "Leave them out if unsure.",
        )
    residuals, seen, chosen = _chosen_residuals(fit, most_items)
    q3 = _correlations(residuals, seen)
    rows, columns = np.triu_indices(len(chosen), k=1)
    values = q3[rows, columns]
    values = np.where(np.isnan(values), -np.inf, values)
    count = min(pairs, len(values))
    best = np.argpartition(-values, count - 1)[:count]
    best = best[np.argsort(-values[best], kind="stable")]
    known = values[np.isfinite(values)]
    best = best[np.isfinite(values[best])]
    names, is_told = fit.responses.items, len(best) > 0 and has_margins(fit)
    return LocalDependence(
        tuple(names[chosen[i]] for i in rows[best]),
        tuple(names[chosen[i]] for i in columns[best]),
        values[best],
        float(known.mean()) if known.size else float("nan"),
        _critical(fit.responses.shape[0], known.size),
        len(chosen),
        pair_tables(fit, chosen[rows[best]], chosen[columns[best]]) if is_told else None,
    )


def _chosen_residuals(fit: FitResult, most: int) -> tuple[Array, Array, Array]:
    """Residuals and whether they exist (respondents × chosen items), and which those are."""
    n_items = len(fit.responses.items)
    chosen = np.unique(np.linspace(0, n_items - 1, min(most, n_items)).astype(int))
    # Residuals of scores and errors have long tails in which one respondent makes a correlation.
    is_long_tailed = fit.estimates.model.family.is_continuous
    parts, seen = [], []
    for block in iterate_residuals(fit):
        own = chosen[(chosen >= block.columns.start) & (chosen < block.columns.stop)]
        own = own - block.columns.start
        kind = np.clip(block.standardised, -3.0, 3.0) if is_long_tailed else block.raw
        parts.append(kind[:, own].astype(np.float32))
        seen.append(block.weight[:, own] > 0)
    return np.concatenate(parts, axis=1), np.concatenate(seen, axis=1), chosen


def _correlations(residuals: Array, seen: Array) -> Array:
    """Correlations over the rows that both columns have (items × items), NaN where too few."""
    with np.errstate(divide="ignore", invalid="ignore"):
        if seen.all():
            centred = residuals - residuals.mean(axis=0)
            scaled = centred / np.sqrt((centred**2).sum(axis=0))
            found = scaled.T @ scaled
            return found if len(residuals) >= _LEAST_SHARED else np.full_like(found, np.nan)
        mask = seen.astype(np.float32)
        shared = mask.T @ mask
        # Σ over shared rows of x, x² and xy: enough for every pairwise correlation.
        total = residuals.T @ mask
        square = (residuals**2).T @ mask
        product = residuals.T @ residuals - total * total.T / shared
        spread = square - total**2 / shared
        found = product / np.sqrt(spread * spread.T)
    return np.where(shared >= _LEAST_SHARED, found, np.nan)


def _critical(respondents: int, pairs: int) -> float:
    """Bonferroni over the pairs, by Fisher's z."""
    from scipy.special import ndtri

    if respondents < 5 or pairs == 0:
        return 1.0
    return float(np.tanh(-ndtri(0.05 / pairs) / np.sqrt(respondents - 3)))
