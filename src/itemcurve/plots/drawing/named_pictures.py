"""Pictures by name, for `evaluation.plot()` and `fit.plot()`."""

from difflib import get_close_matches
from typing import Any

from itemcurve.errors import ModelError

# Those that need nothing but a fit.
OF_FITS = (
    "abilities",
    "ability_metric",
    "information",
    "item_curves",
    "item_fit",
    "item_map",
    "local_dependence",
    "parameters",
    "residuals",
    "wright_map",
)
# Those of fits of several abilities.
OF_ABILITIES = ("loadings", "ability_paths")
OF_EVALUATIONS = ("leaderboard", *OF_FITS)


def draw(source: Any, kind: str, **settings: Any) -> Any:
    """Draw one picture of a fit or an evaluation.

    Parameters
    ----------
    kind : its name in `itemcurve.plots`.
    settings : of the picture.
    """
    from itemcurve import plots

    known: tuple[str, ...] = OF_EVALUATIONS if hasattr(source, "leaderboard") else OF_FITS
    if hasattr(source, "loadings"):
        known = OF_ABILITIES
    if kind not in known:
        near = get_close_matches(kind, known, 1)
        raise ModelError(
            f"Pictures are called {', '.join(known)}.",
            f"Got {kind!r}.",
            f"Did you mean {near[0]!r}?" if near else "Leave it out for the usual one.",
        )
    if kind == "item_map" and "audit" not in settings and hasattr(source, "audit"):
        # An audit knows more of labels than slopes do.
        settings["audit"] = source.audit().frame()
    return getattr(plots, kind)(source, **settings)
