"""Where item curves miss the responses."""

from typing import TYPE_CHECKING

from itemcurve.analysis.evaluated_fits import unwraps_evaluations
from itemcurve.analysis.model_fit.grouped_residuals import GroupedResiduals, grouped_residuals
from itemcurve.estimation.result import FitResult
from itemcurve.plots.drawing.style import new_axes, set_title, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_REACH = 4.0


@unwraps_evaluations
def residuals(result: FitResult | GroupedResiduals, *, ax: "Axes | None" = None) -> "Axes":
    """Draw standardised residuals by item and group of ability, the worst items on top.

    Orange: responses above the curve; violet: below. Beyond ±3 the curve is off there.

    Parameters
    ----------
    result : a fit, or `tables.grouped_residuals(fit, ...)`, whose `.frame()` is the table of this
        picture.
    ax : axes to draw on; new ones when left out.
    """
    shown = result if isinstance(result, GroupedResiduals) else grouped_residuals(result)
    ax = new_axes(ax, (6.6, max(2.4, 1.3 + 0.2 * len(shown.items))))
    image = ax.imshow(
        shown.residuals, cmap="PuOr_r", vmin=-_REACH, vmax=_REACH, aspect="auto", rasterized=True
    )
    abilities = shown.axis.shown(shown.abilities)
    ax.set_xticks(range(len(abilities)), [f"{value:.2g}" for value in abilities])
    ax.set_yticks(range(len(shown.items)), [short(item) for item in shown.items])
    ax.tick_params(length=0, labelsize=8)
    for spine in ax.spines.values():
        spine.set_visible(False)
    ax.set_xlabel(f"mean {shown.axis.label} of the group")
    ax.figure.colorbar(image, ax=ax, label="standardised residual", extend="both", pad=0.02)
    set_title(ax, "Residuals", "observed minus expected response, the worst items first")
    return ax
