"""`itemcurve audit`: a table in; labels by suspicion, and the table with them corrected, out."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.commands.evaluate import EvaluationOptions, run_evaluation
from itemcurve.cli.options.choices import TaskChoice
from itemcurve.cli.options.frequent_options import Json, Quiet
from itemcurve.cli.options.option_groups import spread_options
from itemcurve.cli.options.training_options import Pool, Repeats, SourceOptions, TrainingOptions

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.labels.label_audit import LabelAudit
    from itemcurve.evaluation.evaluation_result import Evaluation

EXAMPLE = "Example: itemcurve audit data.csv --target label --corrected clean.csv"


@dataclass(frozen=True)
class AuditOptions:
    """Who judges the labels, and how strictly."""

    pool: Pool = "standard"
    cv: Annotated[
        int, typer.Option(min=2, help="Folds: labels are judged by models that never saw them.")
    ] = 5
    repeats: Repeats = None
    fdr: Annotated[
        float, typer.Option(help="Share of right labels to expect among the suspect ones, at most.")
    ] = 0.1
    noise_check: Annotated[
        bool,
        typer.Option(
            help="Suspect only what is more probably a wrong label than classes that overlap."
        ),
    ] = True


@dataclass(frozen=True)
class AuditOutput:
    """What becomes of an audit."""

    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE.csv", help="All rows by suspicion, with their columns."),
    ] = None
    corrected: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.csv", help="The table with the likely label where one is suspect."
        ),
    ] = None
    top: Annotated[int, typer.Option(min=1, help="Rows to print, suspects or next in line.")] = 20
    json: Json = False
    quiet: Quiet = False


# Tables up to so many cells are judged by so many cross-validations, unless another number is asked
# for: the standard pool then takes seconds.
_SMALL, _USUAL_REPEATS = 50_000, 3


def _choose_repeats(data: SourceOptions, frame: "pandas.DataFrame") -> int | None:
    """How often a table is parted anew: as often as takes seconds."""
    if data.table is None:
        return None
    return _USUAL_REPEATS if frame.size <= _SMALL else 1


def _refuse_groups(data: SourceOptions) -> None:
    """Raise before anything is trained where models would not see the groups they judge."""
    from itemcurve.errors import EvaluationError

    if data.groups:
        raise EvaluationError(
            "Labels are judged by models that have seen other rows of their group: of a group that "
            "none has seen, all may contradict labels that are right, because it differs;",
            f"given is --groups {data.groups}.",
            f"Leave it out; --drop {data.groups} keeps the column from the models.",
        )


@spread_options
def audit_command(
    data: SourceOptions, asked: AuditOptions, output: AuditOutput, training: TrainingOptions
) -> None:
    """Find wrong labels in a table: a ranked list, a corrected file."""
    from itemcurve.analysis.labels.label_audit import check_rate
    from itemcurve.cli.options.targets import write_csv
    from itemcurve.evaluation.grading.own_labels import audit_labels
    from itemcurve.evaluation.tables.audited_table import read_audited
    from itemcurve.evaluation.tables.model_corrections import corrections_of, list_corrections

    data.check()
    _refuse_groups(data)
    check_rate(asked.fdr)
    source = str(data.table or data.predictions)
    table = read_audited(source, data.target)
    with training.training(None, not (output.quiet or output.json)) as settings:
        wanted = EvaluationOptions(
            pool=asked.pool,
            cv=asked.cv,
            repeats=asked.repeats or _choose_repeats(data, table.frame),
            task=TaskChoice.CLASSIFICATION,
        )
        evaluation = run_evaluation(data, wanted, settings)
    audit = audit_labels(
        evaluation.predictions,
        false_discovery_rate=asked.fdr,
        noise_check=asked.noise_check,
        rows=evaluation.rows,
    )
    ranked = table.rank(audit)
    if output.out is not None:
        write_csv(ranked, output.out, Path(source))
    if output.corrected is not None:
        write_csv(table.correct(audit), output.corrected, Path(source), is_own=True)
        write_csv(list_corrections(ranked), corrections_of(output.corrected), Path(source))
    _show(evaluation, audit, ranked, output)


def _show(
    evaluation: "Evaluation", audit: "LabelAudit", ranked: "pandas.DataFrame", wanted: AuditOutput
) -> None:
    from itemcurve.cli.layout.audit_summary import describe_audit, print_audit
    from itemcurve.cli.layout.json_layout import print_json

    written = {"out": wanted.out, "corrected": wanted.corrected}
    if wanted.json:
        print_json(describe_audit(evaluation, audit, ranked, written))
    elif not wanted.quiet:
        print_audit(evaluation, audit, ranked, wanted.top, written)
