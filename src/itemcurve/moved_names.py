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
    "BenchmarkHealth": "analysis.health.benchmark_health.BenchmarkHealth",
    "Columns": "LogColumns",
    "EvaluationStudy": "Evaluation",
    "ItemAudit": "analysis.items.item_audit.ItemAudit",
    "load_study": "load_evaluation",
    "plot_items": "plots.item_map",
    "robustness_profiles": "robustness.kappa_profiles",
    "stop_all": "stopping.all_of",
    "stop_any": "stopping.any_of",
}


def say_where(name: str) -> str:
    """Give the end of a sentence that says where a name is now, or nothing.

    Examples
    --------
    >>> say_where("plot_item_curves")
    '; it is itemcurve.plots.item_curves now'
    """
    place = _RENAMED.get(name) or _find(name)
    return f"; it is itemcurve.{place} now" if place else ""


def _find(name: str) -> str | None:
    if name.startswith("plot_"):
        picture = name.removeprefix("plot_")
        return f"plots.{picture}" if picture in listed_names("itemcurve.plots") else None
    groups = (group for group in _GROUPS if name in listed_names(f"itemcurve.{group}"))
    return next((f"{group}.{name}" for group in groups if group != "plots"), None)
