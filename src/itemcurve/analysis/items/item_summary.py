"""Item parameters by class: means, medians, spread, and whether classes differ."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.evaluated_fits import takes_evaluations
from itemcurve.errors import EvaluationError
from itemcurve.estimation.result import FitResult
from itemcurve.models.parameters import Role
from itemcurve.numerics.engine import Array

if TYPE_CHECKING:
    import pandas

# What an item is like: where it sits, how fast its curve changes, and where that begins.
_WANTED = (Role.SLOPE, Role.LOCATION, Role.ASYMPTOTE)


@dataclass(frozen=True, eq=False)
class ItemSummary:
    """Parameters of items with the class of each.

    Attributes
    ----------
    parameters : by name, one value per item.
    roles : what each parameter is.
    labels : the class of each item, as text; `classes` in order.
    p_values : by parameter, of a rank test that the classes do not differ (Kruskal-Wallis).
    """

    items: tuple[str, ...]
    parameters: Mapping[str, Array]
    labels: NDArray[Any]
    classes: tuple[str, ...]
    p_values: Mapping[str, float]
    roles: Mapping[str, Role]

    def parameter(self, role: Role) -> Array | None:
        """Give the parameter of a role (items), None where it is held or there is none."""
        names = [name for name, own in self.roles.items() if own is role]
        return self.parameters[names[0]] if names else None

    def frame(self) -> "pandas.DataFrame":
        """One row per parameter and class ("all" first): number, mean, median, sd, share < 0."""
        import pandas

        rows = []
        for name, values in self.parameters.items():
            for label in ("all", *self.classes):
                chosen = values if label == "all" else values[self.labels == label]
                rows.append(
                    {
                        "parameter": name,
                        "class": label,
                        "items": chosen.size,
                        "mean": chosen.mean(),
                        "median": np.median(chosen),
                        "sd": chosen.std(ddof=1) if chosen.size > 1 else np.nan,
                        "negative_share": (chosen < 0).mean(),
                        "p_value": self.p_values[name],
                    }
                )
        return pandas.DataFrame(rows)


@takes_evaluations
def summarise_items(fit: FitResult, labels: Iterable[object] | None = None) -> ItemSummary:
    """Describe the item parameters of a fit, by class where labels are given.

    Parameters
    ----------
    fit : with discrimination and difficulty.
    labels : the class of each item, in the order of the fit's items; one class when left out.

    Examples
    --------
    >>> import itemcurve as ic
    >>> fit = ic.fit(ic.simulate("2pl", respondents=100, items=10, seed=1).responses, "2pl")
    >>> ic.summarise_items(fit, ["a", "b"] * 5).frame()["items"].tolist()
    [10, 5, 5, 10, 5, 5]
    """
    names = fit.bank.items
    listed = ["all items"] * len(names) if labels is None else [str(label) for label in labels]
    if len(listed) != len(names):
        raise EvaluationError(
            f"There must be one label per item, {len(names)};",
            f"given are {len(listed)}.",
            "Give labels in the order of `fit.items`.",
        )
    text = np.array(listed)
    classes = tuple(sorted(set(listed)))
    # A parameter that is held, such as the guessing of a 2PL, tells nothing about the items.
    found = {role: fit.estimates.column(role) for role in _WANTED}
    free = {role: c for role, c in found.items() if c is not None and np.ptp(c.values) > 0}
    parameters = {column.name: np.asarray(column.values) for column in free.values()}
    roles = {column.name: role for role, column in free.items()}
    p_values = {name: _rank_test(values, text, classes) for name, values in parameters.items()}
    return ItemSummary(names, parameters, text, classes, p_values, roles)


def _rank_test(values: Array, labels: NDArray[np.str_], classes: tuple[str, ...]) -> float:
    from scipy.stats import kruskal

    groups = [values[labels == label] for label in classes]
    if len(groups) < 2:
        return float("nan")
    return float(kruskal(*groups).pvalue)
