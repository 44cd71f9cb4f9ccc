"""Taxonomies: models grouped by how noise and difficulty change what they predict."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.robustness.change_profiles import ChangeProfiles
from itemcurve.analysis.robustness.cluster_quality import (
    find_elbow,
    find_medoids,
    mean_between,
    silhouette_widths,
    within_squares,
)
from itemcurve.analysis.robustness.kappa_profiles import KappaProfiles
from itemcurve.errors import EvaluationError

if TYPE_CHECKING:
    import pandas

Linkage = Literal["complete", "average", "single", "ward"]
_MOST_CLUSTERS = 10


@dataclass(frozen=True, eq=False)
class Taxonomy:
    """A hierarchy of models, cut into clusters.

    Attributes
    ----------
    respondents, kind : of the profiles.
    merges : scipy's linkage matrix.
    distances : Euclidean, respondents × respondents.
    clusters : of each respondent, from 1, in the order of the dendrogram.
    prototypes : the medoid of each cluster.
    silhouettes : width of each respondent.
    quality : one row per number of clusters: avg_bc, sil_w, within, is_elbow, is_best_silhouette.
    """

    respondents: tuple[str, ...]
    kind: str
    merges: NDArray[np.float64]
    distances: NDArray[np.float64]
    clusters: NDArray[np.intp]
    prototypes: tuple[str, ...]
    silhouettes: NDArray[np.float64]
    quality: "pandas.DataFrame"

    @property
    def elbow(self) -> int:
        """Number of clusters at the bend of the squares within."""
        return int(self.quality.loc[self.quality["is_elbow"], "clusters"].iloc[0])

    def frame(self) -> "pandas.DataFrame":
        """One row per respondent: cluster, silhouette width, whether it is the prototype."""
        import pandas

        return pandas.DataFrame(
            {
                "respondent": self.respondents,
                "cluster": self.clusters,
                "silhouette": self.silhouettes,
                "is_prototype": np.isin(self.respondents, self.prototypes),
            }
        )


def taxonomy(
    profiles: KappaProfiles | ChangeProfiles,
    clusters: int | None = None,
    *,
    linkage: Linkage = "complete",
) -> Taxonomy:
    """Group respondents by their profiles: Euclidean distances, hierarchical clustering.

    Parameters
    ----------
    profiles : from `kappa_profiles`, or from `change_profiles`.
    clusters : how many; the elbow of the squares within when left out.
    linkage : how distances of groups are taken; `"complete"` as in the paper's code.
    """
    from scipy.cluster import hierarchy
    from scipy.spatial.distance import pdist, squareform

    count = len(profiles.respondents)
    if count < 3 or (clusters is not None and not 1 <= clusters <= count):
        raise EvaluationError(
            "A taxonomy needs three respondents and at most as many clusters;",
            f"there are {count} and {clusters} are asked for.",
            "Add models, or leave clusters out.",
        )
    pairs = pdist(profiles.values)
    merges = hierarchy.linkage(pairs, linkage)
    distances = squareform(pairs)
    quality = _quality(merges, distances)
    wanted = clusters or int(quality.loc[quality["is_elbow"], "clusters"].iloc[0])
    groups = _ordered(_cut(merges, wanted), hierarchy.leaves_list(merges))
    medoids = find_medoids(distances, groups)
    return Taxonomy(
        profiles.respondents,
        profiles.kind,
        merges,
        distances,
        groups,
        tuple(profiles.respondents[place] for place in medoids),
        silhouette_widths(distances, groups),
        quality,
    )


def _cut(merges: NDArray[np.float64], clusters: int) -> NDArray[np.intp]:
    from scipy.cluster.hierarchy import cut_tree

    # fcluster may give fewer groups than asked for where merges tie; cut_tree does not.
    return np.asarray(cut_tree(merges, [clusters])[:, 0], dtype=np.intp)


def _ordered(groups: NDArray[np.intp], leaves: NDArray[np.int32]) -> NDArray[np.intp]:
    """Number the clusters from 1 as they come in the dendrogram."""
    order = list(dict.fromkeys(groups[leaves].tolist()))
    return np.array([order.index(group) + 1 for group in groups.tolist()], dtype=np.intp)


def _quality(merges: NDArray[np.float64], distances: NDArray[np.float64]) -> "pandas.DataFrame":
    """Judge every number of clusters from 2 to 10 (or as many as there are members but one)."""
    import pandas

    most = min(_MOST_CLUSTERS, len(distances) - 1)
    cuts = {k: _cut(merges, k) for k in range(1, most + 1)}
    within = np.array([within_squares(distances, groups) for groups in cuts.values()])
    table = pandas.DataFrame(
        {
            "clusters": list(cuts)[1:],
            "avg_bc": [mean_between(distances, cuts[k]) for k in range(2, most + 1)],
            "sil_w": [float(silhouette_widths(distances, cuts[k]).mean()) for k in list(cuts)[1:]],
            "within": within[1:],
        }
    )
    # The curve starts at one cluster, which can be no elbow itself.
    table["is_elbow"] = table["clusters"] == max(find_elbow(within) + 1, 2)
    table["is_best_silhouette"] = table.index == table["sil_w"].idxmax()
    return table
