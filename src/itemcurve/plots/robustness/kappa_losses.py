"""What noise and difficulty cost each model, in one plane."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from itemcurve.analysis.robustness.kappa_losses import kappa_losses as build_kappa_losses
from itemcurve.analysis.robustness.kappa_profiles import KappaProfiles
from itemcurve.analysis.robustness.system_curves import SystemCurves
from itemcurve.analysis.robustness.taxonomy import Taxonomy
from itemcurve.plots.drawing.point_names import name_points
from itemcurve.plots.drawing.style import COLOURS, GRID, add_legend, new_axes, set_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARKERS = "osD^vPX"


def kappa_losses(
    source: KappaProfiles | SystemCurves | Sequence[SystemCurves],
    tree: Taxonomy | None = None,
    *,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the κ loss by noise against that by difficulty, one point per model.

    The table of this picture is `robustness.kappa_losses(curves)`.

    Parameters
    ----------
    source : profiles, or curves of one data set or several.
    tree : colours the models by cluster.
    ax : axes to draw on; new ones when left out.
    """
    if isinstance(source, KappaProfiles):
        curves: Sequence[SystemCurves] = source.curves
    else:
        curves = [source] if isinstance(source, SystemCurves) else list(source)
    table = build_kappa_losses(curves)
    ax = new_axes(ax, (6.8, 4.8))
    names = table["respondent"].tolist()
    groups = [_cluster(tree, name) for name in names]
    across, up = table["loss_by_difficulty"].tolist(), table["loss_by_noise"].tolist()
    for group in sorted(set(groups)):
        own = [place for place, found in enumerate(groups) if found == group]
        ax.scatter(
            [across[n] for n in own],
            [up[n] for n in own],
            s=30,
            color=COLOURS[(group - 1) % len(COLOURS)],
            marker=_MARKERS[(group - 1) % len(_MARKERS)],
            label=f"cluster {group}",
            zorder=3,
        )
    ax.set(xlabel="κ loss by difficulty", ylabel="κ loss by noise")
    # Room for the name of the point farthest right.
    ax.set_xlim(0.0, 1.18 * max(max(across), 1e-9))
    ax.set_ylim(bottom=min(0.0, *up))
    ax.grid(color=GRID, lw=0.5)
    count = len(curves)
    note = f"mean over {count} data set{'s' if count > 1 else ''}; near the corner is robust"
    set_title(ax, "What noise costs", note)
    if tree is not None:
        add_legend(ax)
    name_points(ax, names, across, up)
    return ax


def _cluster(tree: Taxonomy | None, name: str) -> int:
    if tree is None or name not in tree.respondents:
        return 1
    return int(tree.clusters[tree.respondents.index(name)])
