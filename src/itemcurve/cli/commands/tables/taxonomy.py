"""`itemcurve taxonomy`: tables or runs of robustness in; groups of models and κ losses out."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from itemcurve.cli.options.choices import MeasureChoice, ProfileChoice
from itemcurve.cli.options.frequent_options import Json
from itemcurve.cli.options.option_groups import spread_options
from itemcurve.cli.options.robustness_options import RobustnessOptions
from itemcurve.cli.options.training_options import Drop, Target, TrainingOptions

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.robustness.change_profiles import ChangeProfiles
    from itemcurve.analysis.robustness.kappa_profiles import KappaProfiles
    from itemcurve.analysis.robustness.system_curves import SystemCurves
    from itemcurve.analysis.robustness.taxonomy import Taxonomy

EXAMPLE = "Example: itemcurve taxonomy a.csv b.csv c.csv --target label --out taxonomy"


@spread_options
def taxonomy_command(
    sources: Annotated[
        list[str],
        typer.Argument(
            help="Tables (.csv, .tsv, .parquet) to measure, or run folders that `itemcurve "
            "robustness --out` wrote; two or more in all."
        ),
    ],
    asked: RobustnessOptions,
    training: TrainingOptions,
    target: Target = None,
    drop: Drop = None,
    measure: Annotated[
        MeasureChoice,
        typer.Option(help="Groups by changed predictions, or by κ as in the paper."),
    ] = MeasureChoice.SHARE,
    kind: Annotated[
        ProfileChoice | None,
        typer.Option(
            help="With --measure kappa: profiles across noise (dan), across difficulty (dad), or "
            "both (dand).",
            show_default="dand",
        ),
    ] = None,
    clusters: Annotated[
        int | None, typer.Option(min=1, help="How many groups; the elbow when left out.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for tables and pictures.")] = None,
    json: Json = False,
) -> None:
    """Group models by what noise does to them over several tables."""
    from itemcurve.cli.layout.table_summaries.taxonomy import print_next, print_taxonomy
    from itemcurve.storage.folder_swap import is_folder

    _check_kind(kind, measure)
    measured = _gather(sources, asked, training, target, drop, out, is_shown=not json)
    groups = _group(measured, measure, kind or ProfileChoice.DAND, clusters)
    names = [one.curves.name for one in measured]
    if out is not None:
        _save(groups, [one.curves for one in measured], out)
    if json:
        _print_json(groups, names, measure)
    else:
        print_taxonomy(groups.tree, groups.source, names, groups.also)
        print_next(out, [path for path in sources if is_folder(Path(path))], len(sources))


def _check_kind(kind: ProfileChoice | None, measure: MeasureChoice) -> None:
    from itemcurve.errors import EvaluationError

    if kind is not None and measure is not MeasureChoice.KAPPA:
        raise EvaluationError(
            "--kind says which profiles of κ are compared;",
            "groups are made by changed predictions.",
            "Leave it out, or add --measure kappa.",
        )


@dataclass(frozen=True, eq=False)
class _Measured:
    """What is known of one table."""

    curves: "SystemCurves"
    verdicts: "pandas.DataFrame"


@dataclass(frozen=True, eq=False)
class _Groups:
    """Groups, what they were made by, all tables by name, and what is said beside the groups."""

    tree: "Taxonomy"
    source: "ChangeProfiles | pandas.DataFrame"
    tables: "dict[str, pandas.DataFrame]"
    also: tuple[str, ...]


def _group(
    measured: list[_Measured], measure: MeasureChoice, kind: ProfileChoice, clusters: int | None
) -> _Groups:
    from itemcurve.analysis.robustness.change_profiles import change_profiles
    from itemcurve.analysis.robustness.kappa_profiles import kappa_profiles
    from itemcurve.analysis.robustness.taxonomy import taxonomy

    losses = _losses(measured)
    curves = [one.curves for one in measured]
    profiles: KappaProfiles | ChangeProfiles
    source: ChangeProfiles | pandas.DataFrame
    if measure is MeasureChoice.KAPPA:
        profiles, source = kappa_profiles(curves, kind.value), losses
    else:
        profiles = source = change_profiles([one.verdicts for one in measured])
    found = taxonomy(profiles, clusters)
    tables = {
        "taxonomy": found.frame(),
        "profiles": profiles.frame(),
        "kappa_losses": losses,
        "clusters": found.quality,
    }
    return _Groups(found, source, tables, _say_also(measured, losses))


def _say_also(measured: list[_Measured], losses: "pandas.DataFrame") -> tuple[str, ...]:
    """Say where κ and shares disagree, and which model to take for all tables."""
    from itemcurve.analysis.robustness.change_profiles import change_profiles
    from itemcurve.analysis.robustness.kappa_words import say_disagreement
    from itemcurve.analysis.robustness.one_for_all import say_one_for_all
    from itemcurve.errors import EvaluationError

    try:
        changes = change_profiles([one.verdicts for one in measured]).means
        apart = say_disagreement(losses, changes)
    except EvaluationError:
        # Runs of an earlier version know κ alone, which has groups of its own.
        apart = ""
    everywhere = say_one_for_all({one.curves.name: one.verdicts for one in measured})
    return tuple(line for line in (apart, everywhere) if line)


def _losses(measured: list[_Measured]) -> "pandas.DataFrame":
    """Losses of κ, on easy and on hard rows too, and on how many tables it can be read on both."""
    import pandas

    from itemcurve.analysis.robustness.kappa_losses import kappa_losses, loss_table

    curves = [one.curves for one in measured]
    sides = loss_table(curves).groupby("respondent")[["loss_easy", "loss_hard"]].mean()
    losses = kappa_losses(curves).merge(sides.reset_index(), on="respondent", how="left")
    rows = pandas.concat([one.verdicts for one in measured], ignore_index=True)
    flags = rows["kappa_readable_easy"].astype(bool) & rows["kappa_readable_hard"].astype(bool)
    count = flags.groupby(rows["respondent"]).sum()
    return losses.assign(kappa_readable_on=losses["respondent"].map(count).astype(int))


def _gather(
    sources: list[str],
    asked: RobustnessOptions,
    training: TrainingOptions,
    target: str | None,
    drop: list[str] | None,
    out: Path | None,
    *,
    is_shown: bool,
) -> list[_Measured]:
    """Read runs, and measure tables; what is kept of a table lies beside the others in `out`."""
    from itemcurve.analysis.robustness.saved_curves import read_saved_curves, read_saved_verdicts
    from itemcurve.storage.folder_swap import is_folder

    # Runs first: one that cannot be read is said before anything is trained.
    runs = [Path(path) for path in sources if is_folder(Path(path))]
    known = {str(run): _Measured(read_saved_curves(run), read_saved_verdicts(run)) for run in runs}
    _check_runs(runs, known)
    tables = [path for path in sources if not is_folder(Path(path))]
    _check_there(tables)
    _check_tables(tables, target, drop)
    _check_count(sources)
    settings = asked.settings() | {"target": target, "drop": drop or ()}
    for path in tables:
        own, name = None if out is None else out / "runs" / _name(path), _name(path)
        with training.training(out, is_shown, in_pipes=True, on=name) as how:
            known[path] = _measure(path, own, settings | how)
    return [known[str(Path(path)) if is_folder(Path(path)) else path] for path in sources]


def _check_there(tables: list[str]) -> None:
    """Raise where what was given is neither a file nor a table by name."""
    from itemcurve.errors import EvaluationError
    from itemcurve.evaluation.tables.table_files import BUILT_IN

    for path in tables:
        if path in BUILT_IN or Path(path).is_file():
            continue
        is_pattern = any(sign in path for sign in "*?[")
        raise EvaluationError(
            "What is given must be a table or a run folder of itemcurve robustness;",
            f"there is no file and no folder {path!r}"
            f"{': the pattern matches nothing' if is_pattern else ''}.",
            "Check the path; runs of single tables are made by itemcurve robustness data.csv "
            "--out RUN, or lie in FOLDER/runs after itemcurve taxonomy a.csv b.csv --out FOLDER.",
        )


def _check_count(sources: list[str]) -> None:
    from itemcurve.errors import EvaluationError

    if len(sources) < 2:
        raise EvaluationError(
            "Groups of models are made over two tables or more;",
            f"given is {sources[0]!r} alone.",
            "Add a table, or use itemcurve robustness for one.",
        )


def _check_runs(runs: list[Path], known: dict[str, _Measured]) -> None:
    """Raise where one run is given twice, under its own name or as a copy."""
    import numpy as np

    from itemcurve.errors import EvaluationError

    for place, run in enumerate(runs):
        own = known[str(run)].curves
        for other in runs[:place]:
            seen = known[str(other)].curves
            is_same = own.respondents == seen.respondents and np.array_equal(own.kappa, seen.kappa)
            if run.resolve() == other.resolve() or is_same:
                raise EvaluationError(
                    "Each run must be of another table;",
                    f"{str(run)!r} is the same as {str(other)!r}.",
                    "Give each once: the same table twice is no second one.",
                )


def _check_tables(tables: list[str], target: str | None, drop: list[str] | None) -> None:
    """Read every table once, and look at its classes, before the first is trained on."""
    from itemcurve.errors import EvaluationError, named_source
    from itemcurve.evaluation.tables.table_files import read_table
    from itemcurve.evaluation.tables.table_parts import part_table

    names = [_name(path) for path in tables]
    if len(set(names)) < len(names):
        repeated = next(name for name in names if names.count(name) > 1)
        raise EvaluationError(
            "Tables must have different names;",
            f"{repeated!r} occurs more than once.",
            "Rename one of the files.",
        )
    for path in tables:
        with named_source(path):
            _check_classes(part_table(read_table(path), target, drop or ()).target)


def _check_classes(target: "pandas.Series") -> None:
    """Raise where a target is no classes, as training would after the tables before it."""
    from itemcurve.errors import EvaluationError
    from itemcurve.evaluation.collecting.targets import check_labels, find_classes

    try:
        find_classes(check_labels(target, "the target"))
    except EvaluationError as error:
        raise EvaluationError(
            "Robustness by difficulty is measured on classes;",
            _say_values(target),
            "Leave this table out, or name a column of classes with --target.",
        ) from error


def _say_values(target: "pandas.Series") -> str:
    """What a target holds that is no classes."""
    named, count, first = repr(str(target.name)), target.nunique(), target.iloc[0]
    if count == 1:
        return f"{named} holds the one value {first!s} in all rows."
    return f"{named} holds {count:,} different values, as {first!s}."


def _name(path: str) -> str:
    return Path(path).name.split(".")[0]


def _measure(path: str, out: Path | None, settings: dict[str, Any]) -> _Measured:
    from itemcurve.cli.commands.tables.robustness import list_tables, save_robustness
    from itemcurve.evaluation.difficulty.table_robustness import measure_table_robustness
    from itemcurve.storage.disk import make_folders

    difficulty, curves = measure_table_robustness(path, **settings)
    curves = replace(curves, name=_name(path))
    tables = list_tables(curves)
    if out is not None:
        make_folders(out.parent)
        save_robustness(difficulty, curves, tables, out)
    return _Measured(curves, tables["robustness_verdicts"])


def _save(groups: _Groups, curves: "list[SystemCurves]", out: Path) -> None:
    from importlib.util import find_spec

    from itemcurve.cli.options.targets import write_csv

    for name, table in groups.tables.items():
        write_csv(table, out / f"{name}.csv")
    if find_spec("matplotlib") is not None:
        from itemcurve import plots
        from itemcurve.plots.drawing.picture_files import save_figure

        for name, axes in {
            "taxonomy": plots.taxonomy(groups.tree),
            "kappa_losses": plots.kappa_losses(curves, groups.tree),
        }.items():
            figure = axes.get_figure(root=True)
            assert figure is not None
            save_figure(figure, out / f"{name}.png", dpi=120)


def _print_json(groups: _Groups, names: list[str], measure: MeasureChoice) -> None:
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.table_summaries.taxonomy import say_taxonomy
    from itemcurve.storage.tables import pack_table

    packed = {name: pack_table(table, name) for name, table in groups.tables.items()}
    says = say_taxonomy(groups.tree, groups.source, groups.also)
    print_json({**packed, "measure": measure.value, "runs": names, "says": says})
