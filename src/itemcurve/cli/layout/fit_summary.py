"""A fit for people: how it ended, who is ahead, which items deserve a look."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from itemcurve.cli.layout.json_layout import print_json
from itemcurve.cli.layout.tables import Column, print_table
from itemcurve.cli.layout.terminal import clean, estimate, number, output, percent
from itemcurve.errors import ModelError
from itemcurve.models.parameters import Role

if TYPE_CHECKING:
    import pandas
    from rich.console import Console

    from itemcurve.estimation.result import FitResult


def _measures() -> dict[str, Any]:
    """What tells how well a model fits, by name."""
    from itemcurve.analysis.model_fit.local_dependence import local_dependence
    from itemcurve.analysis.model_fit.overall_fit import model_fit
    from itemcurve.analysis.respondents.person_fit import person_fit

    return {
        "model_fit": model_fit,
        "person_fit": person_fit,
        "local_dependence": local_dependence,
    }


def print_fit(
    result: "FitResult",
    console: "Console",
    respondents: int = 10,
    items: int = 5,
    labels: Mapping[str, str] | None = None,
) -> None:
    """Print the summary and two tables.

    Parameters
    ----------
    labels : what to show instead of the ids of items, by id.
    respondents : how many to list, from the top; 0 for no table.
    items : how many to list of each kind (hardest, easiest, flagged); 0 for no table.
    """
    _print_summary(result, console)
    if respondents:
        _print_respondents(result, console, respondents)
    if items:
        _print_items(result, console, items, labels or {})


def _describe_statistics(result: "FitResult") -> dict[str, Any]:
    """How well the model fits; what does not apply is None, with the reason beside it."""
    found: dict[str, Any] = {"model": result.model}
    for name, measure in _measures().items():
        try:
            found[name] = measure(result).frame().to_dict("records")
        except ModelError as error:
            found[name] = None
            found[f"{name}_refused"] = str(error)
    return found


def print_statistics(result: "FitResult", as_json: bool) -> None:
    """Print how well the model fits as a whole, respondents, and pairs of items."""
    if as_json:
        print_json(_describe_statistics(result))
        return
    console = output()
    for name in ("model_fit", "person_fit"):
        try:
            said = str(_measures()[name](result))
        except ModelError as error:
            said = f"Not tested: {error}"
        console.print("\n".join(clean(line) for line in said.splitlines()), soft_wrap=True)
    table = _measures()["local_dependence"](result).frame().head(10)
    columns = [
        Column("item", [clean(item) for item in table["item"]], is_text=True),
        Column("other", [clean(item) for item in table["other_item"]], is_text=True),
        Column("Q3", [number(value) for value in table["q3"]]),
    ]
    if "ld_x2" in table:
        columns.append(Column("LD-X²", [number(value) for value in table["ld_x2"]]))
        columns.append(Column("adjusted p", [f"{p:.2g}" for p in table["ld_p_adjusted"]]))
    print_table(console, "Pairs of items most alike beyond ability", columns)


def print_run(console: "Console", path: Path | None) -> None:
    """Say where the run folder is, on a line of its own that nothing breaks."""
    text = "Not saved; add --out to keep it." if path is None else f"Saved to {path}"
    console.print(text, soft_wrap=True)


def _print_summary(result: "FitResult", console: "Console") -> None:
    n_respondents, n_items = result.responses.shape
    share = percent(result.responses.n_observed / (n_respondents * n_items))
    estimates = result.estimates
    lines = {
        "Model": f"{result.model}, {result.n_parameters:,} parameters",
        "Responses": f"{n_respondents:,} respondents × {n_items:,} items, {share} observed",
        "Status": f"{result.status}, {estimates.iterations} iterations",
        _likelihood(result): f"{result.log_likelihood:,.3f}",
        "AIC, BIC": f"{result.aic:,.1f}, {result.bic:,.1f}",
        "Integrated over": estimates.over,
        "Standard errors": estimates.standard_errors,
        "Ability scale": _scale(result),
        "Time": f"{result.seconds:.2f} s",
    }
    if "max_rhat" in estimates.diagnostics:
        lines["Sampling"] = _sampling(estimates.diagnostics)
    for name, text in lines.items():
        console.print(f"{name:<16} {text}", soft_wrap=True)
    console.print()


def _likelihood(result: "FitResult") -> str:
    """Of a mean alone, whatever varies around it, it may be positive and compares nothing else."""
    is_quasi = result.estimates.model.family.is_quasi
    return "Quasi-likelihood" if is_quasi else "Log-likelihood"


def _sampling(diagnostics: dict[str, float]) -> str:
    return (
        f"{diagnostics['chains']:.0f} chains × {diagnostics['draws']:.0f} draws, R-hat up to "
        f"{diagnostics['max_rhat']:.3f}, effective size from {diagnostics['min_ess']:.0f}, "
        f"{diagnostics['divergences']:.0f} divergences"
    )


def _scale(result: "FitResult") -> str:
    latent = result.estimates.model.latent
    if latent.is_logit:
        return "that of the difficulties, in logits: ability 0 is difficulty 0.5"
    origin = "mean 0" if latent.shifts else "origin set by the fixed items"
    return f"{origin}, standard deviation 1 (sd)" if latent.stretches else f"{origin}, in logits"


def _unit(result: "FitResult") -> str:
    return "sd" if result.estimates.model.latent.stretches else "logits"


def _print_respondents(result: "FitResult", console: "Console", count: int) -> None:
    table = result.respondents
    top = table.sort_values("ability", ascending=False, kind="stable").head(count)
    columns = [
        Column("respondent", _texts(top, "respondent")),
        Column(f"ability\n± se ({_unit(result)})", _estimates(top, "ability")),
        Column("mean\nresponse", _numbers(top, "mean_response"), is_optional=True),
        Column("responses", [f"{n:,}" for n in top["responses"]], is_optional=True),
    ]
    if top["flags"].any():
        columns.append(Column("flags", _texts(top, "flags"), is_text=True, is_optional=True))
    print_table(console, _counted("Top respondents", len(top), len(table)), columns)


def _print_items(
    result: "FitResult", console: "Console", count: int, labels: Mapping[str, str]
) -> None:
    slope, location = result.slopes.name, result.locations.name
    chosen, n_flagged = _worth_looking_at(result.items, count, location)
    unit = _unit(result)
    # Items of models with abilities in (0, 1) are reported there, not as logits.
    where = "0 to 1" if result.estimates.model.latent.is_logit else unit
    columns = [
        Column(
            "item",
            [labels.get(item, item) for item in _texts(chosen, "item")],
            is_sentence=bool(labels),
        ),
        Column("why", _texts(chosen, "why"), is_text=True),
        Column(
            f"{slope}\n± se (per {unit.removesuffix('s')})",
            _estimates(chosen, slope),
            is_optional=True,
        ),
        Column(f"{location}\n± se ({where})", _estimates(chosen, location)),
        Column("mean\nresponse", _numbers(chosen, "mean_response"), is_optional=True),
    ]
    columns += [
        Column(f"{spec.name.replace('_', ' ')}\n± se", _estimates(chosen, spec.name), False, True)
        for spec in result.estimates.model.parameters
        if spec.role is Role.ASYMPTOTE and spec.is_free
    ]
    title = _counted("Notable items", len(chosen), len(result.items))
    print_table(console, f"{title}, {n_flagged:,} flagged" if n_flagged else title, columns)


def _worth_looking_at(
    table: "pandas.DataFrame", count: int, location: str
) -> "tuple[pandas.DataFrame, int]":
    """Give the hardest, the easiest and the flagged items with the reason, and count the flagged.

    Flagged items stay out of the ranking: the difficulty of a flat curve is not determined. Of
    them, those that better respondents clearly fail come first: their key may be wrong.
    """
    import pandas

    flagged = table[table["flags"] != ""].sort_values(
        "flags", key=lambda flags: flags != "negative", kind="stable"
    )
    ranked = table[table["flags"] == ""].sort_values(location, ascending=False, kind="stable")
    if len(ranked) <= 2 * count:
        parts = [ranked.assign(why="")]
    else:
        parts = [
            ranked.head(count).assign(why="hardest"),
            ranked.tail(count).assign(why="easiest"),
        ]
    parts.append(flagged.head(count).assign(why=flagged["flags"].head(count)))
    return pandas.concat(parts, ignore_index=True), len(flagged)


def _counted(title: str, shown: int, total: int) -> str:
    return f"{title} ({shown:,} of {total:,})"


def _texts(table: "pandas.DataFrame", name: str) -> list[str]:
    return [str(text) for text in table[name]]


def _numbers(table: "pandas.DataFrame", name: str) -> list[str]:
    return [number(value) for value in table[name]]


def _estimates(table: "pandas.DataFrame", name: str) -> list[str]:
    return [estimate(v, e) for v, e in zip(table[name], table[f"{name}_se"], strict=True)]
