"""Fits of several populations: an ordinary fit, and what is known of groups and covariates."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from itemcurve.cli.layout.fit_summary import print_fit
from itemcurve.cli.layout.json_layout import describe_fit
from itemcurve.cli.layout.tables import Column, print_table
from itemcurve.cli.layout.terminal import clean, estimate, number

if TYPE_CHECKING:
    from rich.console import Console

    from itemcurve.estimation.groups.population_fit import PopulationFit


def describe_population(
    fit: "PopulationFit", command: str, run: Path | None, respondents: int | None = None
) -> dict[str, Any]:
    """Give the object that `--json` prints: that of a fit, with groups and coefficients."""
    return {
        **describe_fit(fit.fit, command, run, respondents),
        "groups": fit.groups.to_dict("records"),
        "coefficients": fit.coefficients.to_dict("records"),
    }


def print_population(
    fit: "PopulationFit", console: "Console", respondents: int = 10, items: int = 5
) -> None:
    """Print groups and covariates, then the fit."""
    print_fit(fit.fit, console, respondents=respondents, items=items)
    groups = fit.groups
    if len(groups) > 1:
        columns = [
            Column("group", [clean(name) for name in groups["group"]], is_text=True),
            Column("respondents", [f"{count:,}" for count in groups["respondents"]]),
            Column("mean ± se", _pairs(groups, "mean")),
            Column("sd ± se", _pairs(groups, "sd")),
        ]
        print_table(console, "Groups, on the scale of the first", columns)
    terms = fit.coefficients
    if len(terms):
        columns = [
            Column("covariate", [clean(name) for name in terms["term"]], is_text=True),
            Column("ability per unit ± se", _pairs(terms, "estimate", "se")),
            Column("from", [number(value) for value in terms["lower"]]),
            Column("to", [number(value) for value in terms["upper"]]),
            Column("p", [f"{value:.2g}" for value in terms["p_value"]]),
        ]
        print_table(console, "What ability depends on", columns)


def _pairs(table: Any, name: str, error: str | None = None) -> list[str]:
    return [estimate(*pair) for pair in zip(table[name], table[error or f"{name}_se"], strict=True)]
