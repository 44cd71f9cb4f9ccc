"""Eighteen families of classifiers in scikit-learn terms (Fabra-Boluda et al., table 2)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from itemcurve.evaluation.pools.pool import Pool

if TYPE_CHECKING:
    import pandas

_FOREST_ATTRIBUTES = 64


@dataclass(frozen=True)
class Family:
    """One family: what the paper used, what stands for it here, and how they differ."""

    name: str
    paper: str
    here: str
    differs: str


FAMILIES: tuple[Family, ...] = (
    Family(
        "C5.0",
        "C5.0, 1 trial",
        "entropy tree, leaves of 2, cost pruning",
        "pruning by cost-complexity, not by pessimistic error",
    ),
    Family(
        "CI tree",
        "ctree, mincriterion 0.5 in the code (0.05 in the text)",
        "own: permutation tests in every node, mincriterion 0.05",
        "categories as indicator columns, tested one by one; the text's mincriterion",
    ),
    Family(
        "FDA",
        "fda, degree 1, nprune 17",
        "own: hinges, 17 by F statistic, LDA",
        "hinges at quartiles instead of MARS's search",
    ),
    Family(
        "GBM",
        "gbm, 50 trees, depth 3 in the code (2 in the text)",
        "histogram gradient boosting, 50 rounds, depth 3",
        "binned features, no subsampling",
    ),
    Family(
        "JRip",
        "JRip (RIPPER)",
        "own: rules grown by FOIL's gain and pruned, rarest class first",
        "no second pass over the rules, ends by error instead of description length",
    ),
    Family("kNN", "3 nearest neighbours", "the same", "none"),
    Family("LVQ", "lvq, size 50, k 3", "own LVQ1, 50 prototypes", "LVQ1, where R takes OLVQ1"),
    Family(
        "MLP",
        "mlp, 7 hidden units",
        "the same, adam, 300 epochs",
        "adam instead of back-propagation",
    ),
    Family(
        "MLR", "multinom", "multinomial logistic regression, C = 100", "a slight penalty, none in R"
    ),
    Family("NB", "naive Bayes, Gaussian", "the same", "categories as indicator columns"),
    Family(
        "PART",
        "PART, threshold 0.25, pruned",
        "own: a tree per rule, the rule its largest leaf",
        "trees grown in full, pruned by cost-complexity instead of pessimistic error",
    ),
    Family(
        "RBF",
        "rbfDDA in the code (5 units in the text)",
        "own: 5 Gaussian units per class",
        "k-means centres and ridge regression, not dynamic decay",
    ),
    Family(
        "RDA",
        "rda, tuned",
        "own, after Friedman: 0, 0.5 or 1 of pooling and of shrinkage, tuned by 3 folds",
        "3 folds, where caret tunes the same grid by 25 resamples",
    ),
    Family(
        "RF",
        "random forest, mtry 64",
        "100 trees, 64 attributes where there are more, else all",
        "100 trees instead of 500",
    ),
    Family(
        "RPART",
        "rpart, cp 0.01",
        "gini tree, splits of 20, leaves of 7, pruned",
        "pruning at an absolute cost of 0.005",
    ),
    Family(
        "SIMPLS",
        "simpls, 3 components",
        "own PLS-DA, 3 components",
        "NIPALS instead of SIMPLS; equal for one class, alike for more",
    ),
    Family("SVM", "svmPoly, degree 2, scale 0.1, C 1", "the same kernel", "none"),
    Family(
        "RF rules",
        "rfRules, mtry 64, depth 2",
        "own: the best rules of 100 trees of depth 2 in order",
        "no pruning of conditions, no regularised forest to choose among rules first",
    ),
)
QUICK = ("C5.0", "CI tree", "kNN", "LVQ", "MLP", "MLR", "NB", "PART")


def robust_families(attributes: int | None = None, *, seed: int = 0, quick: bool = False) -> Pool:
    """Give the eighteen families of the paper, each by its closest estimator.

    All but the trees want features on one scale: give tables and `prepare="always"`, or scaled
    arrays. `family_table()` says what differs from the paper.

    Parameters
    ----------
    attributes : number of features, for the random forest.
    quick : eight of them that train fast.

    Examples
    --------
    >>> len(robust_families())
    18
    """
    members = {**_trees(attributes, seed), **_others(seed)}
    names = QUICK if quick else tuple(family.name for family in FAMILIES)
    return Pool(names, tuple(members[name] for name in names))


def family_table() -> "pandas.DataFrame":
    """Give one row per family: the paper's model, ours, and what differs."""
    import pandas

    return pandas.DataFrame([vars(family) for family in FAMILIES])


def _trees(attributes: int | None, seed: int) -> dict[str, Any]:
    from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
    from sklearn.tree import DecisionTreeClassifier

    from itemcurve_studies.classifiers.conditional_tree import ConditionalTree
    from itemcurve_studies.classifiers.covering_rules import CoveringRules
    from itemcurve_studies.classifiers.forest_rules import ForestRules
    from itemcurve_studies.classifiers.tree_rules import TreeRules

    is_wide = attributes is not None and attributes > _FOREST_ATTRIBUTES
    few: Any = _FOREST_ATTRIBUTES if is_wide else None
    tree, forest = DecisionTreeClassifier, RandomForestClassifier
    return {
        "C5.0": tree(criterion="entropy", min_samples_leaf=2, ccp_alpha=0.002, random_state=seed),
        "CI tree": ConditionalTree(significance=0.95),
        "GBM": HistGradientBoostingClassifier(
            max_iter=50, max_depth=3, min_samples_leaf=10, early_stopping=False, random_state=seed
        ),
        "JRip": CoveringRules(random_state=seed),
        "PART": TreeRules(random_state=seed),
        "RF": forest(100, max_features=few, random_state=seed),
        "RPART": tree(min_samples_split=20, min_samples_leaf=7, ccp_alpha=0.005, random_state=seed),
        "RF rules": ForestRules(features=few, random_state=seed),
    }


def _others(seed: int) -> dict[str, Any]:
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.neural_network import MLPClassifier
    from sklearn.svm import SVC

    from itemcurve_studies.classifiers.flexible_discriminant import FlexibleDiscriminant
    from itemcurve_studies.classifiers.partial_least_squares import PartialLeastSquares
    from itemcurve_studies.classifiers.radial_network import RadialNetwork
    from itemcurve_studies.classifiers.shrunken_discriminant import ShrunkenDiscriminant
    from itemcurve_studies.classifiers.vector_quantisation import VectorQuantisation

    grid = {"pooling": [0.0, 0.5, 1.0], "shrinkage": [0.0, 0.5, 1.0]}
    return {
        "FDA": FlexibleDiscriminant(),
        "kNN": KNeighborsClassifier(3),
        "LVQ": VectorQuantisation(random_state=seed),
        "MLP": MLPClassifier((7,), max_iter=300, random_state=seed),
        "MLR": LogisticRegression(C=100.0, max_iter=300),
        "NB": GaussianNB(),
        "RBF": RadialNetwork(random_state=seed),
        "RDA": GridSearchCV(ShrunkenDiscriminant(), grid, cv=3),
        "SIMPLS": PartialLeastSquares(),
        "SVM": SVC(kernel="poly", degree=2, gamma=0.1, coef0=1.0, random_state=seed),
    }
