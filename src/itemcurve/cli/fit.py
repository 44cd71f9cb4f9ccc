"""`itemcurve fit`: responses in, run folder and summary out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.choices import (
    BoundaryChoice,
    EngineChoice,
    FitMethodChoice,
    LayoutChoice,
    ObjectiveChoice,
    OverChoice,
    PriorChoice,
)
from itemcurve.cli.failures import NOT_CONVERGED

if TYPE_CHECKING:
    from itemcurve.estimation.contract import Method
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
        OverChoice, typer.Option(help="Side of the data that marginal integrates out.")
    ] = OverChoice.AUTO,
    objective: Annotated[
        ObjectiveChoice, typer.Option(help="What joint maximises.")
    ] = ObjectiveChoice.MAP,
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
    from itemcurve.cli.progress import fit_progress
    from itemcurve.estimation.fit import fit
    from itemcurve.models.catalogue import get_model
    from itemcurve.responses.matrix import Responses

    parameters = _parameters(discrimination, guessing)
    # Asked before anything is read: a large file should not have to load to find a typing slip.
    get_model(model, **parameters)
    settings = _method(method, over, objective, max_iterations)
    if out is not None:
        _check_target(out)
    observed = Responses.read(responses, layout.value)
    with fit_progress(not quiet) as report:
        result = fit(
            observed,
            model,
            method=settings,
            prior="default" if prior is PriorChoice.DEFAULT else None,
            boundary=boundary.value,
            engine=engine.value,
            on_failure="ignore",
            report=report,
            **parameters,
        )
    _hand_over(result, out, is_json=json, is_quiet=quiet)
    if not result.status.is_converged:
        _warn(result)
        if strict:
            raise typer.Exit(NOT_CONVERGED)


def _method(
    method: FitMethodChoice, over: OverChoice, objective: ObjectiveChoice, max_iterations: int
) -> "Method":
    """Give the settings of the method, and refuse options of another one."""
    from itemcurve.errors import ModelError
    from itemcurve.estimation.joint import Joint
    from itemcurve.estimation.marginal import Marginal
    from itemcurve.estimation.variational import Variational

    for name, is_given, owner in (
        ("--over", over is not OverChoice.AUTO, FitMethodChoice.MARGINAL),
        ("--objective", objective is not ObjectiveChoice.MAP, FitMethodChoice.JOINT),
    ):
        if is_given and method is not owner:
            raise ModelError(
                f"{name} belongs to --method {owner.value};",
                f"the method is {method.value}.",
                f"Leave {name} out, or change the method.",
            )
    if method is FitMethodChoice.JOINT:
        return Joint(objective=objective.value, max_iterations=max_iterations)
    if method is FitMethodChoice.VARIATIONAL:
        return Variational(max_iterations=max_iterations)
    return Marginal(over=over.value, max_iterations=max_iterations)


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


def _check_target(out: Path) -> None:
    """Refuse a folder that cannot be written before the fit, not after it."""
    from itemcurve.errors import StorageError
    from itemcurve.storage.run_manifest import MANIFEST

    is_new = not out.exists() or (out.is_dir() and not any(out.iterdir()))
    if not is_new and not (out / MANIFEST).is_file():
        raise StorageError(
            "--out must be a new or empty folder, or that of a former run;",
            f"{str(out)!r} holds something else.",
            "Choose another path.",
        )


def _hand_over(result: "FitResult", out: Path | None, *, is_json: bool, is_quiet: bool) -> None:
    """Print and save; tables first, so that a failure to save does not lose them."""
    from itemcurve.cli.fit_summary import print_fit, print_run
    from itemcurve.cli.json_layout import describe_fit, print_json
    from itemcurve.cli.terminal import output

    console = output()
    if not is_json and not is_quiet:
        print_fit(result, console)
    if out is not None:
        result.save(out)
    if is_json:
        print_json(describe_fit(result, "fit", out))
    elif not is_quiet:
        print_run(console, out)


def _warn(result: "FitResult") -> None:
    from itemcurve.cli.terminal import messages

    messages().print(
        f"Warning: the fit {result.status}. Raise --max-iterations, keep the default priors, or "
        "use a model with fewer parameters.",
        style="yellow",
        soft_wrap=True,
    )
