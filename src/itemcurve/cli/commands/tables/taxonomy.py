"""`itemcurve taxonomy`: tables or runs of robustness in; groups of models and κ losses out."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from itemcurve.cli.options.choices import ProfileChoice
from itemcurve.cli.options.frequent_options import Json
from itemcurve.cli.options.option_groups import spread_options
from itemcurve.cli.options.robustness_options import RobustnessOptions
from itemcurve.cli.options.training_options import Drop, Target, TrainingOptions

if TYPE_CHECKING:
    import pandas

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
    kind: Annotated[
        ProfileChoice,
        typer.Option(help="Profiles across noise (dan), across difficulty (dad), or both (dand)."),
    ] = ProfileChoice.DAND,
    clusters: Annotated[
        int | None, typer.Option(min=1, help="How many groups; the elbow when left out.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for tables and pictures.")] = None,
    json: Json = False,
) -> None:
    """Group models by what noise does to them over several tables."""
    from itemcurve.analysis.robustness.kappa_losses import kappa_losses
    from itemcurve.analysis.robustness.kappa_profiles import kappa_profiles
    from itemcurve.analysis.robustness.taxonomy import taxonomy
    from itemcurve.cli.layout.robustness_summary import print_taxonomy

    curves = _gather(sources, asked, training, target, drop, out, is_shown=not json)
    profiles = kappa_profiles(curves, kind.value)
    found = taxonomy(profiles, clusters)
    tables = {
        "taxonomy": found.frame(),
        "profiles": profiles.frame(),
        "kappa_losses": kappa_losses(curves),
        "clusters": found.quality,
    }
    if out is not None:
        _save(tables, found, curves, out)
    if json:
        _print_json(tables, curves)
    else:
        print_taxonomy(found, tables["kappa_losses"], curves, out)


def _gather(
    sources: list[str],
    asked: RobustnessOptions,
    training: TrainingOptions,
    target: str | None,
    drop: list[str] | None,
    out: Path | None,
    *,
    is_shown: bool,
) -> "list[SystemCurves]":
    """Read runs, and measure tables; what is kept of a table lies beside the others in `out`."""
    from itemcurve.analysis.robustness.saved_curves import read_saved_curves

    # Runs first: one that cannot be read is said before anything is trained.
    known = {path: read_saved_curves(Path(path)) for path in sources if Path(path).is_dir()}
    tables = [path for path in sources if path not in known]
    _check_tables(tables, target, drop)
    settings = asked.settings() | {"target": target, "drop": drop or ()}
    for path in tables:
        own = None if out is None else out / "runs" / _name(path)
        with training.training(out, is_shown, in_pipes=True, at_last=_name(path)) as how:
            known[path] = _measure(path, own, settings | how)
    return [known[path] for path in sources]


def _check_tables(tables: list[str], target: str | None, drop: list[str] | None) -> None:
    """Read every table once before the first is trained on."""
    from itemcurve.errors import EvaluationError
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
        part_table(read_table(path), target, drop or ())


def _name(path: str) -> str:
    return Path(path).name.split(".")[0]


def _measure(path: str, out: Path | None, settings: dict[str, Any]) -> "SystemCurves":
    from itemcurve.cli.commands.tables.robustness import list_tables, save_robustness
    from itemcurve.evaluation.difficulty.table_robustness import measure_table_robustness
    from itemcurve.storage.disk import make_folders

    difficulty, curves = measure_table_robustness(path, **settings)
    curves = replace(curves, name=_name(path))
    if out is not None:
        make_folders(out.parent)
        save_robustness(difficulty, curves, list_tables(curves), out)
    return curves


def _save(
    tables: dict[str, "pandas.DataFrame"],
    found: "Taxonomy",
    curves: "list[SystemCurves]",
    out: Path,
) -> None:
    from importlib.util import find_spec

    from itemcurve.cli.options.targets import write_csv

    for name, table in tables.items():
        write_csv(table, out / f"{name}.csv")
    if find_spec("matplotlib") is not None:
        from itemcurve import plots
        from itemcurve.plots.drawing.picture_files import save_figure

        for name, axes in {
            "taxonomy": plots.taxonomy(found),
            "kappa_losses": plots.kappa_losses(curves, found),
        }.items():
            figure = axes.get_figure(root=True)
            assert figure is not None
            save_figure(figure, out / f"{name}.png", dpi=120)


def _print_json(tables: dict[str, "pandas.DataFrame"], curves: "list[SystemCurves]") -> None:
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.storage.tables import pack_table

    packed = {name: pack_table(table, name) for name, table in tables.items()}
    print_json({**packed, "runs": [one.name for one in curves]})
