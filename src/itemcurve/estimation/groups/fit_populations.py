"""`fit` with groups, covariates, anchors or another density of ability."""

import time
from typing import Any

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.estimation.densities.fit_density import check_density, reported_density, reshape
from itemcurve.estimation.groups.anchored_items import anchored_model
from itemcurve.estimation.groups.covariate_table import no_covariates, read_covariates
from itemcurve.estimation.groups.fit_groups import GroupData, fit_groups
from itemcurve.estimation.groups.population_fit import PopulationFit
from itemcurve.estimation.groups.reported_groups import report_groups
from itemcurve.estimation.groups.settings import (
    GroupCodes,
    Groups,
    match_items,
    read_equal,
    read_groups,
)
from itemcurve.estimation.result import FitResult
from itemcurve.models.contract import ItemModel
from itemcurve.responses.matrix import Responses


def fit_populations(
    responses: Responses,
    model: ItemModel,
    *,
    settings: Any,
    record: dict[str, Any],
    groups: object = None,
    equal: object = ("slopes", "intercepts"),
    covariates: object = None,
    anchors: object = None,
    density: str = "normal",
) -> PopulationFit:
    """Fit a model, read by `fit`, to one or several populations.

    Parameters
    ----------
    settings : of the method: `Marginal`.
    record : what the result says of how it was made.
    """
    started = time.perf_counter()
    check_density(density, groups, covariates)
    if anchors is not None:
        model = anchored_model(model, responses, anchors)
    wanted = groups if isinstance(groups, Groups) or groups is None else Groups(groups)
    codes = _codes(wanted, responses)
    table = no_covariates(responses.shape[0])
    if covariates is not None:
        table = read_covariates(covariates, responses.respondents)
    shared = read_equal(equal)
    free = np.zeros(responses.shape[1], dtype=bool)
    if wanted is not None:
        free = match_items(wanted.free_patterns, responses.items)
    data = GroupData(
        responses, model, codes, table.values, settings.tolerance, settings.max_iterations
    )
    solution = reshape(data, fit_groups(data, shared, free), density)
    found = report_groups(solution, table)
    record = record | {"populations": len(codes.names)}
    fit = FitResult(solution.responses, found.estimates, record, time.perf_counter() - started)
    return PopulationFit(
        fit,
        responses.items,
        codes,
        found.moments,
        table,
        found.slopes,
        solution.split,
        shared,
        reported_density(solution, found),
    )


def check_method(settings: object, engine: str) -> None:
    """Raise unless the method is that of marginal likelihood over respondents, in NumPy."""
    over = getattr(settings, "over", None)
    if type(settings).__name__ != "Marginal" or over == "items" or engine != "numpy":
        raise ModelError(
            "Groups, covariates and anchors are fitted by marginal likelihood over respondents in "
            "NumPy;",
            f"given are {settings!r} and engine {engine!r}.",
            "Leave method and engine out.",
        )


def _codes(groups: Groups | None, responses: Responses) -> GroupCodes:
    if groups is None:
        return GroupCodes(("all",), np.zeros(responses.shape[0], dtype=int))
    return read_groups(groups, responses.respondents)
