"""The page of a fit of several abilities: how many, which items need which, who has which."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.findings.ability_findings import find_in_abilities
from itemcurve.estimation.dimensions.dimensions_fit import DimensionsFit
from itemcurve.reports.interval_picture import draw_intervals
from itemcurve.reports.other_runs.plain_page import MOST_ROWS, PlainPage
from itemcurve.reports.tables import PageTable, page_table

if TYPE_CHECKING:
    import pandas

_REACH = 1.645
# Loadings that one reads.
_LARGE = 0.3
_MOST_NAMED = 3


def abilities_page(fit: DimensionsFit, title: str, mute: Iterable[str] = ()) -> PlainPage:
    """Gather what the page shows."""
    people, items = fit.responses.shape
    size = fit.pattern.size
    board, first = _board(fit)
    ability, error = board[first].to_numpy(float), board[f"{first}_se"].to_numpy(float)
    ends = np.stack([ability - _REACH * error, ability, ability + _REACH * error], axis=1)
    near = ends[:, 2] >= ends[0, 0]
    return PlainPage(
        title or "How many abilities there are, and who has which",
        f"{people:,} respondents on {items:,} items, {size} "
        f"{'ability' if size == 1 else 'abilities'} ({fit.pattern.kind}), model {fit.model}",
        tuple(_words(fit)),
        draw_intervals(list(board["respondent"]), ends, near, first),
        tuple(_tables(fit, board)),
        find_in_abilities(fit, mute),
        tuple(_methods(fit)),
    )


def _board(fit: DimensionsFit) -> "tuple[pandas.DataFrame, str]":
    """Respondents by the general ability, or the first."""
    table = fit.respondents
    first = "general" if "general" in table else fit.names[0]
    return table.sort_values(first, ascending=False, kind="stable"), first


def _words(fit: DimensionsFit) -> list[str]:
    found = [] if fit.choice is None else [str(fit.choice)]
    table = fit.loadings
    for name in fit.names:
        own = table[table[name].abs() >= _LARGE]
        top = own.reindex(own[name].abs().sort_values(ascending=False).index).head(_MOST_NAMED)
        if len(own):
            shown = ", ".join(map(str, top["item"]))
            more = ", …" if len(own) > len(top) else ""
            found.append(
                f"{name}: {len(own):,} of {len(table):,} items load on it ({shown}{more})."
            )
        else:
            found.append(f"{name}: no item loads on it by {_LARGE} or more.")
    if fit.pattern.is_second_order:
        loadings = fit.second_order
        shown = ", ".join(
            f"{row['ability']} {row['loading']:.2f}" for row in loadings.to_dict("records")
        )
        found.append(f"A general ability is above them; they load on it by {shown}.")
    elif fit.pattern.size > 1 and (fit.pattern.is_correlated or fit.pattern.is_exploratory):
        found.append(_say_correlations(fit))
    return found


def _say_correlations(fit: DimensionsFit) -> str:
    rows, columns = np.tril_indices(fit.pattern.size, -1)
    values = fit.correlation[rows, columns]
    top = int(np.argmax(np.abs(values)))
    pair = f"{fit.names[columns[top]]} and {fit.names[rows[top]]}"
    if len(values) == 1:
        return f"{pair} correlate by {values[top]:.2f}."
    return (
        f"Abilities correlate by {values.min():.2f} to {values.max():.2f}, most {pair} "
        f"({values[top]:.2f})."
    )


def _tables(fit: DimensionsFit, board: "pandas.DataFrame") -> list[PageTable]:
    loadings = fit.loadings.head(MOST_ROWS)
    found = [
        page_table(loadings, "loadings", "Loadings of items, and what abilities explain of each"),
        page_table(board.head(MOST_ROWS), "respondents", "Respondents"),
    ]
    if fit.pattern.size > 1 and fit.pattern.groups is None:
        named = fit.correlations.reset_index(names="ability")
        found.append(page_table(named, "correlations", "How abilities go together"))
    if fit.pattern.is_second_order:
        found.append(page_table(fit.second_order, "second_order", "The general ability above"))
    if fit.choice is not None:
        title = "Responses left out, by number of abilities"
        found.append(page_table(fit.choice.frame(), "choice", title))
    return found


def _methods(fit: DimensionsFit) -> list[str]:
    turned = f"Axes were turned ({fit.rotation}); they have no names of their own."
    return [
        f"Model {fit.model}: abilities add up in every item, a·θ + e ({fit.pattern.kind}).",
        *([turned] if fit.pattern.is_exploratory else []),
        f"Maximised: {fit.objective}. Standard errors: {fit.standard_errors}.",
        f"The fit {fit.status} in {fit.iterations} iterations; log-likelihood "
        f"{fit.log_likelihood:,.2f}, {fit.n_parameters:,} parameters.",
    ]
