"""`itemcurve fit`: responses in, run folder and summary out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.failures import NOT_CONVERGED
from itemcurve.cli.interruptions import AGAIN
from itemcurve.cli.options.choices import (
    AbilityErrorsChoice,
    BoundaryChoice,
    EngineChoice,
    FitMethodChoice,
    LayoutChoice,
    ObjectiveChoice,
    OverChoice,
    PosteriorChoice,
    PriorChoice,
)

if TYPE_CHECKING:
    from itemcurve.estimation.checkpoint import MemoryCheckpoint
    from itemcurve.estimation.result import FitResult


EXAMPLE = "Example: itemcurve fit responses.csv --model 2pl --out run"


def fit_command(
    responses: Annotated[
        Path, typer.Argument(help="Responses: .csv, .tsv, .jsonl, .parquet or .npz.")
    ],
    model: Annotated[str, typer.Option(help="As 2pl, beta3 or gamma.")] = "2pl",
    out: Annotated[
        Path | None, typer.Option(help="Run folder to write; a former run there is replaced.")
    ] = None,
    prior: Annotated[
        PriorChoice, typer.Option(help="Priors of item parameters; none is maximum likelihood.")
    ] = PriorChoice.DEFAULT,
    method: Annotated[
        FitMethodChoice, typer.Option(help="How the model is fitted.")
    ] = FitMethodChoice.MARGINAL,
    over: Annotated[
        OverChoice, typer.Option(help="Side of the data to integrate out, or to call a population.")
    ] = OverChoice.AUTO,
    ability_errors: Annotated[
        AbilityErrorsChoice,
        typer.Option(
            help="Of marginal: errors of abilities without or with the doubt about items."
        ),
    ] = AbilityErrorsChoice.GIVEN_ITEMS,
    objective: Annotated[
        ObjectiveChoice, typer.Option(help="What joint maximises.")
    ] = ObjectiveChoice.MAP,
    posterior: Annotated[
        PosteriorChoice,
        typer.Option(help="Of variational: abilities and items linked, or independent."),
    ] = PosteriorChoice.AUTO,
    engine: Annotated[EngineChoice, typer.Option(help="Who computes.")] = EngineChoice.NUMPY,
    discrimination: Annotated[
        str | None,
        typer.Option(
            metavar="free|positive|NUMBER",
            help="Estimate it, keep it above 0, or hold it for all items.",
        ),
    ] = None,
    guessing: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="Hold guessing here for all items.")
    ] = None,
    boundary: Annotated[
        BoundaryChoice,
        typer.Option(help="What becomes of scores and errors at the ends of their range."),
    ] = BoundaryChoice.DEFAULT,
    max_iterations: Annotated[
        int, typer.Option(min=1, help="Passes over the data before giving up.")
    ] = 500,
    chains: Annotated[int, typer.Option(min=1, help="Of mcmc: number of chains.")] = 4,
    draws: Annotated[
        int, typer.Option(min=10, help="Of mcmc: draws per chain, after as many to adapt.")
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Of mcmc: the same seed, the same draws.")] = 0,
    layout: Annotated[
        LayoutChoice, typer.Option(help="One row per response (long) or per respondent (wide).")
    ] = LayoutChoice.AUTO,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of tables.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print nothing but warnings and errors.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with code 3 when the fit does not converge.")
    ] = False,
) -> None:
    """Fit an item response model to a file of responses."""
    from itemcurve.cli.interruptions import interruptible
    from itemcurve.cli.layout.item_labels import find_labels
    from itemcurve.cli.layout.terminal import messages
    from itemcurve.cli.options.fit_method import MethodOptions
    from itemcurve.cli.options.run_target import check_target
    from itemcurve.cli.progress import fit_progress
    from itemcurve.estimation.fit import fit
    from itemcurve.estimation.saving.saved_checkpoint import kept_checkpoint
    from itemcurve.models.catalogue import get_model
    from itemcurve.responses.matrix import Responses

    parameters = _parameters(discrimination, guessing)
    # Asked before anything is read: a large file should not have to load to find a typing slip.
    get_model(model, **parameters)
    options = MethodOptions(
        method=method,
        over=over,
        ability_errors=ability_errors,
        objective=objective,
        posterior=posterior,
        chains=chains,
        draws=draws,
        seed=seed,
    )
    settings = options.settings(max_iterations)
    if out is not None:
        check_target(out)
    observed = Responses.read(responses, layout.value)
    # More iterations of the same fit are no other fit.
    mark = (model, parameters, options.settings(1), prior.value, boundary.value)
    with fit_progress(not quiet) as progress, kept_checkpoint(out, observed, mark) as checkpoint:
        if checkpoint.is_resumed and not quiet:
            messages().print("Going on from where this fit was interrupted.")
        with interruptible(lambda: _how_to_go_on(checkpoint, out)):
            result = fit(
                observed,
                model,
                method=settings,
                prior="default" if prior is PriorChoice.DEFAULT else None,
                boundary=boundary.value,
                engine=engine.value,
                on_failure="ignore",
                progress=progress,
                checkpoint=checkpoint,
                **parameters,
            )
            labels = find_labels(responses, observed.items)
            _hand_over(result, out, labels, is_json=json, is_quiet=quiet)
    if not result.status.is_converged:
        _warn(result)
        if strict:
            raise typer.Exit(NOT_CONVERGED)


def _how_to_go_on(checkpoint: "MemoryCheckpoint", out: Path | None) -> str:
    if not checkpoint.reached:
        return "nothing was found yet that could be kept."
    if out is None:
        return "nothing was kept. With --out the same command could go on."
    return f"{checkpoint.iterations} iterations are kept beside {out}: {AGAIN}"


def _parameters(discrimination: str | None, guessing: float | None) -> dict[str, str | float]:
    """Give the settings of parameters as `fit` takes them."""
    found: dict[str, str | float] = {}
    if discrimination is not None:
        try:
            found["discrimination"] = float(discrimination)
        except ValueError:
            found["discrimination"] = discrimination
    if guessing is not None:
        found["guessing"] = guessing
    return found


def _hand_over(
    result: "FitResult", out: Path | None, labels: dict[str, str], *, is_json: bool, is_quiet: bool
) -> None:
    """Save and print; tables also where saving failed, so that they are not lost."""
    from itemcurve.cli.layout.fit_summary import print_fit, print_run
    from itemcurve.cli.layout.item_labels import keep_labels
    from itemcurve.cli.layout.json_layout import describe_fit, print_json
    from itemcurve.cli.layout.terminal import output

    console = output()
    try:
        if out is not None:
            result.save(out)
            keep_labels(out, labels)
    finally:
        if not is_json and not is_quiet:
            print_fit(result, console, labels=labels)
    if is_json:
        print_json(describe_fit(result, "fit", out))
    elif not is_quiet:
        print_run(console, out)


def _warn(result: "FitResult") -> None:
    from itemcurve.cli.layout.terminal import messages

    messages().print(
        f"Warning: the fit {result.status}. {_advice(result)}",
        style="yellow",
        soft_wrap=True,
    )


def _advice(result: "FitResult") -> str:
    if result.estimates.draws is not None:
        return "Raise --draws, or use a model with fewer parameters."
    return "Raise --max-iterations, keep the default priors, or use a model with fewer parameters."
