"""Where names are that once lay at the top level, for the error that tells it."""

from itemcurve.lazy_names import listed_names

_GROUPS = (
    "metrics",
    "noise",
    "plots",
    "pools",
    "priors",
    "robustness",
    "selection",
    "stopping",
    "tables",
)
# Those that changed more than their group; the others are found by name.
_RENAMED = {
    "BenchmarkHealth": "itemcurve.analysis.health.benchmark_health.BenchmarkHealth",
    "Columns": "itemcurve.LogColumns",
    "EvaluationStudy": "itemcurve.Evaluation",
    "fit_linked": "itemcurve.fit_gamma_by_beta3",
    "ItemAudit": "itemcurve.analysis.items.item_audit.ItemAudit",
    "load_study": "itemcurve.load_evaluation",
    "plot_items": "itemcurve.plots.item_map",
    "robust_families": "itemcurve_studies.robustness.families.robust_families",
    "robustness_profiles": "itemcurve.robustness.kappa_profiles",
    "stop_all": "itemcurve.stopping.all_of",
    "stop_any": "itemcurve.stopping.any_of",
}


def say_where(name: str) -> str:
    """Give the end of a sentence that says where a name is now, or nothing.

    Examples
    --------
    >>> say_where("plot_item_curves")
    '; it is itemcurve.plots.item_curves now'
    """
    place = _RENAMED.get(name) or _find(name)
    return f"; it is {place} now" if place else ""


def _find(name: str) -> str | None:
    if name.startswith("plot_"):
        picture = name.removeprefix("plot_")
        return f"itemcurve.plots.{picture}" if picture in listed_names("itemcurve.plots") else None
    groups = (f"itemcurve.{group}" for group in _GROUPS if group != "plots")
    return next((f"{group}.{name}" for group in groups if name in listed_names(group)), None)
