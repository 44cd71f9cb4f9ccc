"""`itemcurve taxonomy`: runs of `itemcurve robustness` in; groups of models and κ losses out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.options.choices import ProfileChoice
from itemcurve.cli.options.frequent_options import Json

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.robustness.system_curves import SystemCurves
    from itemcurve.analysis.robustness.taxonomy import Taxonomy

EXAMPLE = "Example: itemcurve taxonomy run_a run_b run_c --out taxonomy"


def taxonomy_command(
    runs: Annotated[
        list[Path], typer.Argument(help="Run folders that `itemcurve robustness --out` wrote.")
    ],
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
    from itemcurve.analysis.robustness.saved_curves import read_saved_curves
    from itemcurve.analysis.robustness.taxonomy import taxonomy
    from itemcurve.cli.layout.robustness_summary import print_taxonomy

    curves = [read_saved_curves(run) for run in runs]
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

        for name, axes in {
            "taxonomy": plots.taxonomy(found),
            "kappa_losses": plots.kappa_losses(curves, found),
        }.items():
            figure = axes.get_figure(root=True)
            assert figure is not None
            figure.savefig(out / f"{name}.png", dpi=120)


def _print_json(tables: dict[str, "pandas.DataFrame"], curves: "list[SystemCurves]") -> None:
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.storage.tables import pack_table

    packed = {name: pack_table(table, name) for name, table in tables.items()}
    print_json({**packed, "runs": [one.name for one in curves]})
