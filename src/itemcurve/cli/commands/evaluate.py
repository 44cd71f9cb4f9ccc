"""`itemcurve evaluate`: a table in; abilities, difficulties and suspect labels out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from itemcurve.cli.options.choices import TaskChoice

if TYPE_CHECKING:
    from itemcurve.cli.layout.evaluation_summary import Flipped
    from itemcurve.evaluation.evaluation_result import EvaluationStudy

EXAMPLE = "Example: itemcurve evaluate data.csv --target label --out run"


def evaluate_command(
    table: Annotated[
        str,
        typer.Argument(
            help="One row per instance: .csv, .tsv or .parquet; or breast_cancer, diabetes, "
            "digits, iris, wine."
        ),
    ],
    target: Annotated[str, typer.Option(help="Column to predict.")] = "target",
    out: Annotated[
        Path | None, typer.Option(help="Run folder to write; a former run there is replaced.")
    ] = None,
    pool: Annotated[
        str, typer.Option(metavar="standard|families|random:N", help="Who is evaluated.")
    ] = "standard",
    task: Annotated[
        TaskChoice, typer.Option(help="Classes or numbers; by the target when left out.")
    ] = TaskChoice.AUTO,
    response: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="skill, probability or correct of classes; absolute, normalised or score of "
            "numbers. Skill and absolute when left out.",
        ),
    ] = None,
    model: Annotated[
        str,
        typer.Option(
            help="Item response model, as fractional-beta3; auto has slopes as free as the data "
            "bear. A model that is named also makes the order."
        ),
    ] = "auto",
    fdr: Annotated[
        float,
        typer.Option(help="Share of right labels to expect among the suspect ones, at most."),
    ] = 0.1,
    cv: Annotated[
        int | None, typer.Option(min=2, help="Predict all rows, in so many folds.")
    ] = None,
    test_share: Annotated[
        float, typer.Option(help="Share of rows to predict, without --cv.")
    ] = 0.3,
    drop: Annotated[
        list[str] | None, typer.Option(help="Column not to use; may be repeated.")
    ] = None,
    flip_labels: Annotated[
        float,
        typer.Option(
            min=0, max=1, help="Flip this share of the answers, to see how many are found."
        ),
    ] = 0.0,
    seed: Annotated[int, typer.Option(help="Of the split and of all estimators.")] = 0,
    jobs: Annotated[int, typer.Option(help="Processes at a time; -1 for all cores.")] = -1,
    cache: Annotated[
        Path | None,
        typer.Option(
            help="Folder that keeps predictions for later runs; without it they are kept beside "
            "--out until the run is complete."
        ),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of tables.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print nothing but warnings and errors.")
    ] = False,
) -> None:
    """Evaluate estimators on a table of instances."""
    from itemcurve.analysis.labels.label_audit import check_rate
    from itemcurve.cli.interruptions import interruptible, kept_in
    from itemcurve.cli.options.run_target import check_target
    from itemcurve.cli.progress import training_progress
    from itemcurve.evaluation.collecting.answer_cache import temporary_cache
    from itemcurve.evaluation.tables.labelled_table import evaluate_table

    if out is not None:
        check_target(out)
    check_rate(fdr)
    if flip_labels:
        _refuse_flips_of_numbers(table, target, task)
    with (
        temporary_cache(cache, out) as kept,
        interruptible(lambda: kept_in(kept, "predictions", "--out or --cache")),
        training_progress(not (quiet or json)) as report,
    ):
        study = evaluate_table(
            table,
            target,
            task=task.value,
            pool=pool,
            response=response,
            model=model,
            cv=cv,
            test_share=test_share,
            drop=drop or (),
            seed=seed,
            n_jobs=jobs,
            cache=kept,
            report=report,
            on_failure="ignore",
        )
        study, noisy = _flipped(study, flip_labels, seed)
        _hand_over(study, noisy, out, fdr=fdr, is_json=json, is_quiet=quiet)


def _refuse_flips_of_numbers(table: str, target: str, task: TaskChoice) -> None:
    """Raise before anything is trained where the target has no labels to flip."""
    from itemcurve.errors import EvaluationError
    from itemcurve.evaluation.tables.labelled_table import choose_task
    from itemcurve.evaluation.tables.table_files import read_table

    frame = read_table(table)
    # A target that is not there is refused with the columns that are, by the evaluation itself.
    if target in frame and choose_task(frame[target].dropna(), task.value) == "regression":
        raise EvaluationError(
            "--flip-labels needs classes;",
            "the target holds numbers.",
            "Leave it out, or say --task classification if the numbers name classes.",
        )


def _flipped(
    study: "EvaluationStudy", share: float, seed: int
) -> "tuple[EvaluationStudy, Flipped | None]":
    if not share:
        return study, None
    from itemcurve.cli.layout.evaluation_summary import Flipped
    from itemcurve.evaluation.grading.regrading import regrade
    from itemcurve.evaluation.noise.added_noise import flip_labels

    noisy = flip_labels(study.y_true, share, seed)
    return regrade(study, noisy.values), Flipped(noisy.changed, study.y_true)


def _hand_over(
    study: "EvaluationStudy",
    noisy: "Flipped | None",
    out: Path | None,
    *,
    fdr: float,
    is_json: bool,
    is_quiet: bool,
) -> None:
    """Save and print; tables also where saving failed, so that they are not lost."""
    from itemcurve.cli.layout.evaluation_summary import describe_study, print_study
    from itemcurve.cli.layout.fit_summary import print_run
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.terminal import output

    console: Any = output()
    try:
        if out is not None:
            _save(study, noisy, out)
    finally:
        if not is_json and not is_quiet:
            print_study(study, noisy, console, fdr)
    if is_json:
        print_json(describe_study(study, noisy, out, fdr))
    elif not is_quiet:
        print_run(console, out)


def _save(study: "EvaluationStudy", noisy: "Flipped | None", out: Path) -> None:
    """Write the run, with the metrics before labels were flipped where some were."""
    from itemcurve.cli.layout.evaluation_summary import measure_before_flips
    from itemcurve.storage.run_folder import update_run
    from itemcurve.storage.tables import pack_table

    study.save(out)
    if noisy is not None:
        table = measure_before_flips(study, noisy)
        title = "Metrics against the labels before some were flipped"
        update_run(out, {"before_flips": pack_table(table, title)}, {})
