"""The dendrogram of models by robustness."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.robustness.taxonomy import Taxonomy
from itemcurve.plots.drawing.style import COLOURS, FAINT, new_axes, set_title, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def taxonomy(tree: Taxonomy, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the dendrogram; clusters are coloured, prototypes bold with a star.

    The table of this picture is `tree.frame()`.

    Parameters
    ----------
    tree : from `robustness.taxonomy`.
    ax : axes to draw on; new ones when left out.
    """
    from scipy.cluster.hierarchy import dendrogram

    count = len(tree.respondents)
    ax = new_axes(ax, (6.8, 1.2 + 0.28 * count))
    colours = _branch_colours(tree)
    drawn = dendrogram(
        tree.merges, orientation="right", ax=ax, link_color_func=lambda node: colours[node]
    )
    order = drawn["leaves"] or []
    marked = [name in tree.prototypes for name in tree.respondents]
    names = [f"{short(tree.respondents[leaf])}{' ★' if marked[leaf] else ''}" for leaf in order]
    ax.set_yticklabels(names, fontsize=9)
    for leaf, label in zip(order, ax.get_yticklabels(), strict=True):
        label.set_color(_colour(int(tree.clusters[leaf])))
        if marked[leaf]:
            label.set_fontweight("bold")
    ax.set_xlabel(
        "distance of shares of changed predictions, on easiest and hardest rows"
        if tree.kind == "share"
        else f"distance of {tree.kind.upper()} profiles"
    )
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    clusters = len(set(tree.clusters.tolist()))
    width = float(np.mean(tree.silhouettes))
    note = f"{clusters} clusters, silhouette {width:.2f}; ★ prototype of its cluster"
    set_title(ax, "Models by what noise and difficulty do to them", note)
    return ax


def _branch_colours(tree: Taxonomy) -> dict[int, str]:
    """Give a branch the colour of its cluster when all below is of one, else grey."""
    count = len(tree.respondents)
    members: dict[int, set[int]] = {leaf: {int(tree.clusters[leaf])} for leaf in range(count)}
    for place, merge in enumerate(tree.merges):
        members[count + place] = members[int(merge[0])] | members[int(merge[1])]
    return {
        node: _colour(next(iter(below))) if len(below) == 1 else FAINT
        for node, below in members.items()
    }


def _colour(cluster: int) -> str:
    return COLOURS[(cluster - 1) % len(COLOURS)]
