"""How fits of several abilities are shown: text for people, one object for machines.

`dimensions --json` prints::

    itemcurve, command, model, kind, rotation
    shape            {respondents, items}
    status           {name, message, iterations}
    log_likelihood, bic
    choice           [{dimensions, log_loss, gain, gain_se, is_best}], null where it was named
    correlations     {ability: {ability: correlation}}
    loadings         [{item, …, explained}]
    second_order     [{ability, loading, loading_se, explained}], null where there is none
    respondents      [{respondent, …}]
"""

from typing import TYPE_CHECKING, Any

from itemcurve import __version__
from itemcurve.cli.layout.tables import Column, print_table
from itemcurve.cli.layout.terminal import clean, estimate, number, output, percent

if TYPE_CHECKING:
    from rich.console import Console

    from itemcurve.estimation.dimensions.dimensions_fit import DimensionsFit

_MOST_RESPONDENTS = 12


def describe_dimensions(fit: "DimensionsFit") -> dict[str, Any]:
    """Give the object that `--json` prints."""
    respondents, items = fit.responses.shape
    return {
        "itemcurve": __version__,
        "command": "dimensions",
        "model": fit.model,
        "kind": fit.pattern.kind,
        "rotation": fit.rotation,
        "shape": {"respondents": respondents, "items": items},
        "status": {
            "name": fit.status.name.lower(),
            "message": str(fit.status),
            "iterations": fit.iterations,
        },
        "log_likelihood": fit.log_likelihood,
        "bic": fit.bic,
        "choice": None if fit.choice is None else fit.choice.frame().to_dict("records"),
        "correlations": fit.correlations.to_dict(),
        "loadings": fit.loadings.to_dict("records"),
        "second_order": _second_order(fit),
        "respondents": fit.respondents.to_dict("records"),
    }


def _second_order(fit: "DimensionsFit") -> list[Any] | None:
    if not fit.pattern.is_second_order:
        return None
    table = fit.second_order
    return table.astype(object).where(table.notna(), None).to_dict("records")


def print_dimensions(fit: "DimensionsFit", items: int) -> None:
    """Print how many abilities there are, their items, and the respondents on each."""
    console = output()
    if fit.choice is not None:
        console.print(str(fit.choice), soft_wrap=True)
    for place, name in enumerate(fit.names):
        _print_items(fit, console, place, name, items)
    if fit.pattern.is_second_order:
        _print_above(fit, console)
    elif fit.pattern.is_correlated or (fit.pattern.is_exploratory and fit.pattern.size > 1):
        _print_correlations(fit, console)
    _print_respondents(fit, console)
    said = f"The fit {fit.status}" if not fit.status.is_converged else "The fit converged"
    console.print(f"{said}; log-likelihood {fit.log_likelihood:,.1f}, BIC {fit.bic:,.1f}.")
    if fit.pattern.is_exploratory:
        console.print(
            "Axes have no names of their own: read the items of each and say what they share.",
            soft_wrap=True,
        )


def _print_items(
    fit: "DimensionsFit", console: "Console", place: int, name: str, items: int
) -> None:
    table = fit.loadings
    table = table.reindex(table[name].abs().sort_values(ascending=False).index).head(items)
    if not len(table):
        return
    columns = [Column("item", [str(item) for item in table["item"]])]
    columns += [Column(own, [number(value) for value in table[own]]) for own in fit.names]
    columns.append(Column("explained", [percent(value) for value in table["explained"]]))
    title = f"{clean(name)}: the items that load most on it"
    print_table(console, title, columns)


def _print_correlations(fit: "DimensionsFit", console: "Console") -> None:
    table = fit.correlations
    columns = [Column("correlation", list(fit.names))]
    columns += [Column(own, [number(value) for value in table[own]]) for own in fit.names]
    print_table(console, "How abilities go together", columns)


def _print_above(fit: "DimensionsFit", console: "Console") -> None:
    table = fit.second_order
    pairs = zip(table["loading"], table["loading_se"], strict=True)
    columns = [
        Column("ability", [clean(name) for name in table["ability"]], is_text=True),
        Column("loading ± se", [estimate(*pair) for pair in pairs]),
        Column("explained", [percent(value) for value in table["explained"]]),
    ]
    print_table(console, "The general ability above them", columns)


def _print_respondents(fit: "DimensionsFit", console: "Console") -> None:
    table = fit.respondents.sort_values("mean_response", ascending=False)
    shown = table.head(_MOST_RESPONDENTS)
    columns = [Column("respondent", [str(name) for name in shown["respondent"]])]
    for own in (*fit.names, *(["general"] if fit.pattern.is_second_order else [])):
        pairs = zip(shown[own], shown[f"{own}_se"], strict=True)
        columns.append(Column(f"{own}\n± se", [estimate(*pair) for pair in pairs]))
    columns.append(Column("mean\nresponse", [number(v) for v in shown["mean_response"]]))
    more = f", the first {len(shown)} of {len(table):,}" if len(table) > len(shown) else ""
    print_table(console, f"Respondents{more}", columns)
