"""Tables of the study on robustness."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from itemcurve.analysis.robustness.class_makeup import class_makeup, noise_destinations
from itemcurve.analysis.robustness.data_complexity import COMPLEX_ABOVE
from itemcurve.analysis.robustness.kappa_losses import kappa_losses, loss_table
from itemcurve.analysis.robustness.system_curves import SystemCurves
from itemcurve_studies.robustness.experiment import RobustnessStudy

if TYPE_CHECKING:
    import pandas


def list_tables(study: RobustnessStudy) -> dict[str, "pandas.DataFrame"]:
    """Give all tables by name; each says from how many rows of a data set it comes at most."""
    return {name: with_size(table, study) for name, table in _tables(study).items()}


def with_size(table: "pandas.DataFrame", study: RobustnessStudy) -> "pandas.DataFrame":
    """Add from how many rows of a data set a table comes at most."""
    return table.assign(most_rows=study.size.rows or "all")


def _tables(study: RobustnessStudy) -> dict[str, "pandas.DataFrame"]:
    if not study.sets:
        return {"shapes": study.shapes}
    return {
        "data_sets": data_set_table(study),
        "table_3": quality_table(study),
        "taxonomy": study.trees["dand"].frame(),
        "kappa_losses": kappa_losses(study.curves, split=True),
        "verdicts": verdict_table(study),
        "losses_by_data_set": loss_table(study.curves),
        "class_makeup": join_sets(study, class_makeup),
        "noise_destinations": join_sets(study, noise_destinations),
        "shapes": study.shapes,
        "curves": join_sets(study, lambda curves: curves.frame()),
        "difficulties": difficulty_table(study),
    }


def data_set_table(study: RobustnessStudy) -> "pandas.DataFrame":
    """Table 1 and figure 6: complexity, difficulty, and how well difficulty is predicted."""
    import pandas

    return pandas.DataFrame(
        [
            {
                "data_set": one.data.source.name,
                "status": one.data.source.status,
                "rows": one.data.rows,
                "rows_used": len(one.data.y),
                "complexity": one.data.complexity,
                "published": one.data.source.published,
                "is_complex": one.data.complexity > COMPLEX_ABOVE,
                **{name: one.summary[name] for name in ("mean", "sd", "skewness", "outside")},
                "mean_response": float(one.mean_responses.mean()),
                "infit": one.summary["infit"],
                "misfitting": one.summary["misfitting"],
                "spearman_learnt": one.spearman[0],
                "spearman_neighbours": one.spearman[1],
            }
            for one in study.sets
        ]
    )


def difficulty_table(study: RobustnessStudy) -> "pandas.DataFrame":
    """Figure 6: one row per instance."""
    import pandas

    parts = [
        pandas.DataFrame(
            {
                "data_set": one.data.source.name,
                "difficulty": one.difficulty,
                "mean_response": one.mean_responses,
            }
        )
        for one in study.sets
    ]
    return pandas.concat(parts, ignore_index=True)


def quality_table(study: RobustnessStudy) -> "pandas.DataFrame":
    """Table 3: AvgBC and SilW of each kind of profile and number of clusters."""
    import pandas

    parts = []
    for kind, tree in study.trees.items():
        own = tree.quality.copy()
        own.insert(0, "kind", kind)
        parts.append(own)
    return pandas.concat(parts, ignore_index=True)


def verdict_table(study: RobustnessStudy) -> "pandas.DataFrame":
    """Figure 7: what the curves of each model on each data set say."""
    return join_sets(study, lambda curves: curves.verdicts(measure="kappa"))


def join_sets(
    study: RobustnessStudy, build: Callable[[SystemCurves], "pandas.DataFrame"]
) -> "pandas.DataFrame":
    """Put the tables of all data sets under each other."""
    import pandas

    parts = []
    for curves in study.curves:
        own = build(curves)
        own.insert(0, "data_set", curves.name)
        parts.append(own)
    return pandas.concat(parts, ignore_index=True)
