"""Which features make rows hard: difficulty regressed on the features of each class.

A row is hard where its features speak for another class than its own. So every class has slopes of
its own; where there are too few rows for that, all classes share them.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError
from itemcurve.estimation.explanation.item_explanation import ItemExplanation
from itemcurve.evaluation.difficulty.instance_difficulty import Difficulty
from itemcurve.evaluation.tables.table_columns import sort_columns

if TYPE_CHECKING:
    import pandas

_ALL = "all classes"
_CLASS, _OF = "class ", " | "
# Rows for each term of the regression.
_ROWS_PER_TERM = 5
# A level of a category that fewer rows have joins the first one, with which others are compared.
_FEWEST_ROWS = 10
_DEPENDENT = 1e-6


@dataclass(frozen=True, eq=False)
class DifficultyExplanation:
    """What features say of the difficulty of rows.

    Attributes
    ----------
    found : the regression, its terms in units of the features.
    spreads : standard deviation of each feature, by name.
    notes : what was left out, in words.
    explained_without_class : share of the variance that features explain where the class is not
        known, as of new rows.
    """

    found: ItemExplanation
    spreads: dict[str, float]
    notes: tuple[str, ...]
    explained_without_class: float = float("nan")

    @property
    def explained(self) -> float:
        """Share of the variance of difficulties that features and classes explain."""
        return self.found.explained

    def frame(self) -> "pandas.DataFrame":
        """One row per feature and class, the surest first.

        `effect` is what difficulty gains where the feature is one standard deviation higher, or has
        this level; `lower` and `upper` its 95 % interval, `p_adjusted` by Holm over all rows.
        """
        import pandas

        terms = self.found.coefficients.iloc[1:]
        terms = terms[~terms["term"].str.startswith(_CLASS)]
        parts = [term.rsplit(_OF, 1) for term in terms["term"]]
        unit = np.array([self.spreads.get(part[0], 1.0) for part in parts])
        table = pandas.DataFrame(
            {
                "feature": [part[0] for part in parts],
                "class": [part[1] if len(part) > 1 else _ALL for part in parts],
                "effect": terms["estimate"].to_numpy() * unit,
                "lower": terms["lower"].to_numpy() * unit,
                "upper": terms["upper"].to_numpy() * unit,
                "p_adjusted": _holm(terms["p_value"].to_numpy(np.float64)),
            }
        )
        table["size"] = table["effect"].abs()
        table = table.sort_values(["p_adjusted", "size"], ascending=[True, False], kind="stable")
        return table.drop(columns="size").reset_index(drop=True)

    def __repr__(self) -> str:
        return (
            f"DifficultyExplanation({len(self.spreads)} features, {self.explained:.0%} explained)"
        )


def explain_difficulty(difficulty: Difficulty) -> DifficultyExplanation:
    """Say which features make rows hard, with intervals.

    Difficulties are as uncertain as the answers leave them, and rows differ beyond what features
    say (explanatory item response theory, `fit.explain_items`).

    Parameters
    ----------
    difficulty : from `estimate_difficulty`, of a table or an array.

    Examples
    --------
    >>> import itemcurve as ic
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(as_frame=True, return_X_y=True)
    >>> pool = ic.pools.random_pool(10)
    >>> columns = ["mean radius", "mean texture"]
    >>> known = ic.robustness.estimate_difficulty(X[columns], y, pool, cv=2, on_failure="ignore")
    >>> ic.robustness.explain_difficulty(known).frame()["feature"].nunique()
    2
    """
    table, notes = _take_features(difficulty.X)
    labels = np.array([str(label) for label in difficulty.y])
    kinds = list(dict.fromkeys(labels.tolist()))
    design = _spread_over_classes(table, labels, kinds)
    if design is None:
        notes = (*notes, _say_shared(table, labels, kinds))
        design = _share(table, labels, kinds)
    if _ROWS_PER_TERM * design.shape[1] > len(labels):
        raise EvaluationError(
            f"Explaining difficulty needs {_ROWS_PER_TERM} rows for each term;",
            f"there are {len(labels)} for {design.shape[1]}.",
            "Leave features out.",
        )
    found = difficulty.fit.explain_items(design)
    spreads = {str(name): float(table[name].std(ddof=0)) for name in table if "[" not in str(name)}
    plain = difficulty.fit.explain_items(_independent(table))
    return DifficultyExplanation(found, spreads, notes, plain.explained)


def _take_features(X: Any) -> tuple["pandas.DataFrame", tuple[str, ...]]:
    """Give numbers with gaps filled, and a column for each level that is not rare."""
    import pandas

    table = X if hasattr(X, "iloc") else _as_table(X)
    kinds = sort_columns(table)
    columns: dict[str, Any] = {}
    for name in kinds.numbers:
        values = table[name].astype(np.float64)
        columns[str(name)] = values.fillna(values.median()).to_numpy()
    for name in kinds.few:
        levels = table[name].astype(object).where(table[name].notna(), "missing").astype(str)
        counts = levels.value_counts()
        for level in counts.index[1:]:
            if counts[level] >= _FEWEST_ROWS:
                columns[f"{name}[{level}]"] = (levels == level).to_numpy(np.float64)
    left = [*(str(name) for name, _ in kinds.left_out), *map(str, (*kinds.many, *kinds.dates))]
    notes = (f"Not among what explains difficulty: {', '.join(left)}.",) if left else ()
    if not columns:
        raise EvaluationError(
            "Difficulty is explained by numbers, or categories of at most 20 levels;",
            "the table has none that vary.",
            "Add such a column.",
        )
    return pandas.DataFrame(columns), notes


def _as_table(X: Any) -> "pandas.DataFrame":
    import pandas

    values = np.asarray(X.toarray() if hasattr(X, "toarray") else X)
    return pandas.DataFrame(values, columns=[f"x{place}" for place in range(values.shape[1])])


def _spread_over_classes(
    table: "pandas.DataFrame", labels: NDArray[np.str_], kinds: list[str]
) -> "pandas.DataFrame | None":
    """Every feature once for each class; None where rows are too few, in all or in one class."""
    width = table.shape[1] + 1
    if min(int((labels == kind).sum()) for kind in kinds) < _ROWS_PER_TERM * width:
        return None
    import pandas

    columns = _class_columns(labels, kinds)
    for kind in kinds:
        inside = labels == kind
        for name in table:
            values = table[name].to_numpy(np.float64)
            # Centred within the class: its own column says how hard its rows are on average.
            columns[f"{name}{_OF}{kind}"] = np.where(inside, values - values[inside].mean(), 0.0)
    return _independent(pandas.DataFrame(columns))


def _say_shared(table: "pandas.DataFrame", labels: NDArray[np.str_], kinds: list[str]) -> str:
    needed = _ROWS_PER_TERM * (table.shape[1] + 1)
    counts = {kind: int((labels == kind).sum()) for kind in kinds}
    fewest = min(counts, key=lambda kind: counts[kind])
    return (
        f"Too few rows for slopes by class: each class needs {needed}, {fewest!r} has "
        f"{counts[fewest]}. All classes share one slope for each feature, and a feature that makes "
        "one class hard and another easy shows nothing there."
    )


def _share(
    table: "pandas.DataFrame", labels: NDArray[np.str_], kinds: list[str]
) -> "pandas.DataFrame":
    import pandas

    columns = _class_columns(labels, kinds)
    plain = {str(name): table[name].to_numpy(np.float64) for name in table}
    return _independent(pandas.DataFrame({**columns, **plain}))


def _class_columns(labels: NDArray[np.str_], kinds: list[str]) -> dict[str, NDArray[np.float64]]:
    return {f"{_CLASS}{kind}": (labels == kind).astype(np.float64) for kind in kinds[1:]}


def _independent(design: "pandas.DataFrame") -> "pandas.DataFrame":
    """Leave out columns that the former ones, and a constant, say already."""
    basis = [np.full(len(design), 1 / np.sqrt(len(design)))]
    kept = []
    for name in design:
        values = design[name].to_numpy(np.float64)
        own = values - values.mean()
        rest = own - sum(part * (part @ own) for part in basis)
        size = float(np.linalg.norm(own))
        if size > 0 and np.linalg.norm(rest) > _DEPENDENT * size:
            basis.append(rest / np.linalg.norm(rest))
            kept.append(name)
    return design[kept]


def _holm(p_values: NDArray[np.float64]) -> NDArray[np.float64]:
    count = len(p_values)
    order = np.argsort(p_values)
    raised = np.maximum.accumulate(p_values[order] * (count - np.arange(count)))
    found = np.empty(count)
    found[order] = np.minimum(raised, 1.0)
    return found
