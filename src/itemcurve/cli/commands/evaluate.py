"""`itemcurve evaluate`: a table in; abilities, difficulties and suspect labels out."""

import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from itemcurve.cli.failures import NOT_CONVERGED
from itemcurve.cli.options.choices import TaskChoice
from itemcurve.cli.options.frequent_options import Json, Quiet, RunToWrite
from itemcurve.cli.options.option_groups import spread_options, write_options
from itemcurve.cli.options.training_options import Pool, Repeats, SourceOptions, TrainingOptions

if TYPE_CHECKING:
    from itemcurve.cli.layout.evaluation_summary import Flipped
    from itemcurve.evaluation.evaluation_result import Evaluation

# A file of settings has set the options that follow.
_UNREPEATED = ("table", "config", "out", "export", "fdr", "json", "quiet", "jobs", "cache", "seed")
EXAMPLE = "Example: itemcurve evaluate data.csv --target label --out run"


@dataclass(frozen=True)
class EvaluationOptions:
    """Who is evaluated, and how that is measured."""

    pool: Pool = "standard"
    task: Annotated[
        TaskChoice, typer.Option(help="Classes or numbers; by the target when left out.")
    ] = TaskChoice.AUTO
    response: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="skill, probability or correct of classes; absolute, normalised or score of "
            "numbers. Skill and absolute when left out.",
        ),
    ] = None
    model: Annotated[
        str,
        typer.Option(
            help="Item response model, as fractional-beta3; auto has slopes as free as the data "
            "bear. A model that is named also makes the order."
        ),
    ] = "auto"
    cv: Annotated[int | None, typer.Option(min=2, help="Predict all rows, in so many folds.")] = (
        None
    )
    repeats: Repeats = None
    test_share: Annotated[float, typer.Option(help="Share of rows to predict, without --cv.")] = 0.3


@dataclass(frozen=True)
class OutputOptions:
    """What becomes of an evaluation."""

    out: RunToWrite = None
    export: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Also write leaderboard, audit, suspects, classes or findings as .csv, .md or "
            ".tex, or model_card.md, or report.html; may be repeated.",
        ),
    ] = None
    fdr: Annotated[
        float, typer.Option(help="Share of right labels to expect among the suspect ones, at most.")
    ] = 0.1
    flip_labels: Annotated[
        float,
        typer.Option(
            min=0, max=1, help="Flip this share of the answers, to see how many are found."
        ),
    ] = 0.0
    json: Json = False
    quiet: Quiet = False


@spread_options
def evaluate_command(
    data: SourceOptions,
    asked: EvaluationOptions,
    output: OutputOptions,
    training: TrainingOptions,
) -> None:
    """Evaluate models on a table: who is best, what is hard."""
    from itemcurve.analysis.labels.label_audit import check_rate
    from itemcurve.cli.options.targets import check_run, claimed_run
    from itemcurve.exchange.run_exports import check_exports

    data.check()
    check_exports(output.export or ())
    check_run(output.out)
    check_rate(output.fdr)
    if output.flip_labels:
        _refuse_flips_of_numbers(data, asked.task)
    with (
        claimed_run(output.out),
        training.training(output.out, not (output.quiet or output.json)) as settings,
    ):
        evaluation = run_evaluation(data, asked, settings)
        if data.config is not None:
            note = f"Settings are those of {data.config}."
            evaluation = replace(evaluation, notes=(note, *evaluation.notes))
        evaluation, noisy = _flipped(evaluation, output.flip_labels, training.seed)
        table = [] if data.table is None else [data.table]
        told = write_options(data, asked, output, training, without=_UNREPEATED)
        # A repetition is of this seed, whatever the default is where it is repeated.
        seed = ["--seed", str(training.seed)] * (data.table is not None)
        command = shlex.join(["itemcurve", "evaluate", *table, *told, *seed, "--out", "again"])
        evaluation = replace(evaluation, settings={**evaluation.settings, "command": command})
        if not evaluation.fit.status.is_converged:
            _warn(evaluation)
        _hand_over(evaluation, noisy, output)
        if not evaluation.fit.status.is_converged:
            raise typer.Exit(NOT_CONVERGED)


def _warn(evaluation: "Evaluation") -> None:
    """Say before anything else that a fit gives nothing to report, and what still holds."""
    from itemcurve.cli.layout.terminal import messages

    status = evaluation.fit.status
    is_by_skill = evaluation.leaderboard().ranked_by == "skill"
    left = "; skill and metrics do not depend on it" if is_by_skill else ", nor the order by them"
    messages().print(
        f"Warning: the fit {status}. Do not report its abilities and item parameters{left}. "
        f"{status.advice}",
        style="yellow",
        soft_wrap=True,
    )


def run_evaluation(
    data: SourceOptions, asked: EvaluationOptions, settings: dict[str, Any]
) -> "Evaluation":
    """Evaluate what the options name.

    Parameters
    ----------
    settings : of training, as `TrainingOptions.training` gives them.
    """
    from itemcurve.evaluation.grading.prediction_tables import evaluate_predictions
    from itemcurve.evaluation.tables.labelled_table import evaluate_table

    usual: dict[str, Any] = {
        "task": asked.task.value,
        "response": asked.response,
        "model": asked.model,
        "drop": data.drop or (),
        "on_failure": "ignore",
    }
    if data.table is None:
        assert data.predictions is not None
        _refuse_repeats(asked.repeats)
        return evaluate_predictions(data.predictions, data.target, **usual)
    return evaluate_table(
        data.table,
        data.target,
        pool=asked.pool,
        cv=asked.cv,
        repeats=asked.repeats or 1,
        test_share=asked.test_share,
        groups=data.groups,
        sample_weight=data.weights,
        **usual,
        **settings,
    )


def _refuse_repeats(repeats: int | None) -> None:
    """Raise where predictions that exist were to be made several times."""
    from itemcurve.errors import EvaluationError

    if repeats is not None:
        raise EvaluationError(
            "--repeats is about training;",
            "with --predictions nothing is trained.",
            "Leave it out.",
        )


def _refuse_flips_of_numbers(data: SourceOptions, task: TaskChoice) -> None:
    """Raise before anything is trained where the target has no labels to flip."""
    from itemcurve.errors import EvaluationError
    from itemcurve.evaluation.tables.labelled_table import choose_task
    from itemcurve.evaluation.tables.table_files import read_table
    from itemcurve.evaluation.tables.target_column import find_target

    frame = read_table(data.table or str(data.predictions))
    target, _ = find_target(frame, data.target)
    if choose_task(frame[target].dropna(), task.value) == "regression":
        raise EvaluationError(
            "--flip-labels needs classes;",
            "the target holds numbers.",
            "Leave it out, or say --task classification if the numbers name classes.",
        )


def _flipped(
    evaluation: "Evaluation", share: float, seed: int
) -> "tuple[Evaluation, Flipped | None]":
    if not share:
        return evaluation, None
    from itemcurve.cli.layout.evaluation_summary import Flipped
    from itemcurve.evaluation.grading.regrading import regrade
    from itemcurve.evaluation.noise.added_noise import flip_labels

    noisy = flip_labels(evaluation.y_true, share, seed)
    return regrade(evaluation, noisy.values), Flipped(noisy.changed, evaluation.y_true)


def _hand_over(evaluation: "Evaluation", noisy: "Flipped | None", wanted: OutputOptions) -> None:
    """Save and print; tables also where saving failed, so that they are not lost."""
    from itemcurve.cli.layout.evaluation_summary import describe_evaluation, print_evaluation
    from itemcurve.cli.layout.fit_summary import print_run
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.terminal import output
    from itemcurve.exchange.run_exports import export_evaluation

    console: Any = output()
    try:
        if wanted.out is not None:
            _save(evaluation, noisy, wanted.out)
        written = export_evaluation(evaluation, wanted.export or ())
    finally:
        if not wanted.json and not wanted.quiet:
            print_evaluation(evaluation, noisy, console, wanted.fdr)
    if wanted.json:
        print_json(describe_evaluation(evaluation, noisy, wanted.out, wanted.fdr))
    elif not wanted.quiet:
        for path in written:
            console.print(f"Saved to {path}", soft_wrap=True)
        if wanted.out is not None:
            run = shlex.quote(str(wanted.out))
            told = f"Next: a page with curves, items and labels: itemcurve report {run}"
            console.print(told, soft_wrap=True)
            told = f"How few items would place another: itemcurve adapt plan {run} --rules"
            console.print(told, soft_wrap=True)
        print_run(console, wanted.out)


def _save(evaluation: "Evaluation", noisy: "Flipped | None", out: Path) -> None:
    """Write the run, with the metrics before labels were flipped where some were."""
    from itemcurve.cli.layout.evaluation_summary import measure_before_flips
    from itemcurve.evaluation.saved_evaluation import save_evaluation
    from itemcurve.storage.tables import pack_table

    tables = {}
    if noisy is not None:
        title = "Metrics against the labels before some were flipped"
        tables["before_flips"] = pack_table(measure_before_flips(evaluation, noisy), title)
    save_evaluation(evaluation, out, documents=tables)
