"""`itemcurve fit`: responses in, run folder and summary out."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.commands.fitted_populations import fit_population
from itemcurve.cli.commands.fitted_ratings import fit_ratings
from itemcurve.cli.failures import NOT_CONVERGED
from itemcurve.cli.interruptions import AGAIN
from itemcurve.cli.options.choices import EngineChoice, LayoutChoice
from itemcurve.cli.options.fit_options import MethodOptions, ModelOptions, OutputOptions
from itemcurve.cli.options.frequent_options import Layout
from itemcurve.cli.options.option_groups import spread_options
from itemcurve.cli.options.population_options import PopulationOptions

if TYPE_CHECKING:
    from itemcurve.estimation.checkpoint import MemoryCheckpoint
    from itemcurve.estimation.result import FitResult
    from itemcurve.responses.matrix import Responses

EXAMPLE = "Example: itemcurve fit responses.csv --model 2pl --out run"


@spread_options
def fit_command(
    responses: Annotated[
        Path,
        typer.Argument(
            help="Responses: .csv, .tsv, .jsonl, .parquet or .npz; or a run folder that has some."
        ),
    ],
    what: ModelOptions,
    how: MethodOptions,
    populations: PopulationOptions,
    output: OutputOptions,
    engine: Annotated[EngineChoice, typer.Option(help="Who computes.")] = EngineChoice.NUMPY,
    layout: Layout = LayoutChoice.AUTO,
    raters: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Column of who rated, of a long table of ratings; more options has "
            "`itemcurve judges`.",
        ),
    ] = None,
) -> None:
    """Fit an item response model to a file of responses."""
    from itemcurve.cli.interruptions import interruptible
    from itemcurve.cli.layout.item_labels import find_labels
    from itemcurve.cli.layout.terminal import messages
    from itemcurve.cli.options.fitted_again import check_run_responses, say_beside
    from itemcurve.cli.options.targets import check_run, claimed_run
    from itemcurve.cli.progress import fit_progress
    from itemcurve.estimation.fit import fit
    from itemcurve.estimation.saving.saved_checkpoint import kept_checkpoint
    from itemcurve.models.catalogue import get_model
    from itemcurve.responses.matrix import Responses

    if raters is not None:
        fit_ratings(responses, raters, what, how, output, engine)
        return
    # Asked before anything is read: a large file should not have to load to find a typing slip.
    chosen = what.chosen
    names = [chosen] if isinstance(chosen, str) else list(chosen.values())
    models = [get_model(n, **(what.parameters if isinstance(chosen, str) else {})) for n in names]
    check_run_responses(responses, models[0], what.by_beta3)
    settings = how.settings()
    out, is_loud = output.out, not output.quiet
    check_run(out)
    observed = Responses.read(responses, layout.value)
    if is_loud:
        _say_what_it_is(responses, observed)
    if populations.is_given:
        fit_population(observed, populations, what, how, output, engine)
        return
    if what.by_beta3 is not None:
        observed = _read_through_beta3(observed, what.by_beta3)
    # More iterations of the same fit are no other fit.
    same = replace(how, max_iterations=1).settings()
    mark = (chosen, what.parameters, same, what.prior.value, what.boundary.value)
    with (
        claimed_run(out),
        fit_progress(is_loud) as progress,
        kept_checkpoint(out, observed, mark) as checkpoint,
    ):
        if checkpoint.is_resumed and is_loud:
            messages().print("Going on from where this fit was interrupted.")
        with interruptible(lambda: _how_to_go_on(checkpoint, out)):
            result = fit(
                observed,
                chosen,
                method=settings,
                engine=engine.value,
                on_failure="ignore",
                progress=progress,
                checkpoint=checkpoint,
                **what.settings,
            )
            _hand_over(result, output, find_labels(responses, observed.items))
    if is_loud:
        _say_lines(say_beside(responses, result))
    if not result.status.is_converged:
        _warn(result)
        if output.strict:
            raise typer.Exit(NOT_CONVERGED)


def _say_what_it_is(path: Path, observed: "Responses") -> None:
    """Say what the responses of a run are, and that a table may hold features."""
    from itemcurve.cli.layout.terminal import messages
    from itemcurve.cli.options.fitted_again import describe_responses, doubt_features

    for line, style in ((describe_responses(path), None), (doubt_features(observed), "yellow")):
        if line is not None:
            messages().print(line, style=style, soft_wrap=True)


def _say_lines(lines: list[str]) -> None:
    from itemcurve.cli.layout.terminal import clean, messages

    for line in lines:
        messages().print(clean(line), soft_wrap=True)


def _read_through_beta3(errors: "Responses", size: float) -> "Responses":
    """Turn errors into scores (Moraes et al., section III-C)."""
    from itemcurve.estimation.gamma_link import check_error_size, errors_to_scores

    return errors_to_scores(errors, check_error_size(errors, size))


def _how_to_go_on(checkpoint: "MemoryCheckpoint", out: Path | None) -> str:
    if not checkpoint.reached:
        return "nothing was found yet that could be kept."
    if out is None:
        return "nothing was kept. With --out the same command could go on."
    return f"{checkpoint.iterations} iterations are kept beside {out}: {AGAIN}"


def _hand_over(result: "FitResult", wanted: OutputOptions, labels: dict[str, str]) -> None:
    """Save and print; tables also where saving failed, so that they are not lost."""
    from itemcurve.cli.layout.fit_summary import print_fit, print_run
    from itemcurve.cli.layout.json_layout import describe_fit, print_json
    from itemcurve.cli.layout.terminal import output
    from itemcurve.estimation.saving.saved_fit import save_fit
    from itemcurve.storage.item_labels import pack_labels

    console = output()
    try:
        if wanted.out is not None:
            save_fit(result, wanted.out, documents=pack_labels(labels))
    finally:
        if not wanted.json and not wanted.quiet:
            print_fit(result, console, labels=labels)
    if wanted.json:
        print_json(describe_fit(result, "fit", wanted.out))
    elif not wanted.quiet:
        print_run(console, wanted.out)


def _warn(result: "FitResult") -> None:
    from itemcurve.cli.layout.terminal import messages

    messages().print(
        f"Warning: the fit {result.status}. {_advice(result)}",
        style="yellow",
        soft_wrap=True,
    )


def _advice(result: "FitResult") -> str:
    from itemcurve.estimation.status import FitStatus

    if result.status is FitStatus.WANDERING:
        return "Use --method variational, or compare several --seed."
    if result.estimates.draws is not None:
        return "Raise --draws, or use a model with fewer parameters."
    return "Raise --max-iterations, keep the default priors, or use a model with fewer parameters."
