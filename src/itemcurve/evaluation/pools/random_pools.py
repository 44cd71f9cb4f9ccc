"""Pools of random classifiers: ten algorithms, hyper-parameters drawn (Cardoso et al.)."""

from collections.abc import Callable
from random import Random
from typing import Any

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.pools.pool import Pool

Draw = Callable[[Random, int], Any]


def random_pool(n: int = 200, seed: int = 0) -> Pool:
    """Give n diverse classifiers: ten algorithms in turn, each with hyper-parameters drawn anew.

    With the defaults these are the 200 of the paper on the IRT confusion matrix (ten algorithms,
    seeds 0 to 19), drawn in its order. scikit-learn has since dropped the choice of a criterion
    for gradient boosting; it is drawn and not used, so that the others stay as they were.

    Parameters
    ----------
    n : how many.
    seed : of the first round of ten; each further round counts one up.

    Examples
    --------
    >>> random_pool(30, seed=1).names[:2]
    ('Random forest 1', 'Gradient boosting 1')
    """
    if not isinstance(n, int) or n < 1:
        raise EvaluationError(
            "A pool needs at least one classifier;", f"n is {n!r}.", "Use n=200 if unsure."
        )
    algorithms = list(_ALGORITHMS.items())
    names, members = [], []
    for index in range(n):
        name, draw = algorithms[index % len(algorithms)]
        round_seed = seed + index // len(algorithms)
        names.append(f"{name} {round_seed}")
        # Started anew for every algorithm, as in the paper's notebook.
        members.append(draw(Random(round_seed), round_seed))
    return Pool(tuple(names), tuple(members))


def _random_forest(random: Random, seed: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(
        n_estimators=random.randint(1, 100),
        criterion=random.choice(["gini", "entropy", "log_loss"]),
        max_features=random.choice(["sqrt", "log2", None]),
        random_state=seed,
    )


def _gradient_boosting(random: Random, seed: int) -> Any:
    from sklearn.ensemble import GradientBoostingClassifier

    n_estimators = random.randint(1, 100)
    random.choice(["friedman_mse", "squared_error"])
    max_features = random.choice(["sqrt", "log2", None])
    return GradientBoostingClassifier(
        n_estimators=n_estimators, max_features=max_features, random_state=seed
    )


def _bagging(random: Random, seed: int) -> Any:
    from sklearn.ensemble import BaggingClassifier

    return BaggingClassifier(
        n_estimators=random.randint(1, 100),
        bootstrap=random.choice([True, False]),
        random_state=seed,
    )


def _boosting(random: Random, seed: int) -> Any:
    from sklearn.ensemble import AdaBoostClassifier

    return AdaBoostClassifier(n_estimators=random.randint(1, 100), random_state=seed)


def _neural_network(random: Random, seed: int) -> Any:
    from sklearn.neural_network import MLPClassifier

    return MLPClassifier(
        max_iter=random.randint(1, 200),
        activation=random.choice(["identity", "logistic", "tanh", "relu"]),
        solver=random.choice(["lbfgs", "sgd", "adam"]),
        random_state=seed,
    )


def _decision_tree(random: Random, seed: int) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(
        criterion=random.choice(["gini", "entropy", "log_loss"]),
        splitter=random.choice(["best", "random"]),
        max_features=random.choice(["sqrt", "log2", None]),
        random_state=seed,
    )


def _nearest_neighbours(random: Random, seed: int) -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(
        n_neighbors=random.randint(1, 15),
        weights=random.choice(["uniform", "distance"]),
        algorithm=random.choice(["auto", "ball_tree", "kd_tree", "brute"]),
    )


def _support_vectors(random: Random, seed: int) -> Any:
    from sklearn.svm import SVC

    return SVC(
        kernel=random.choice(["linear", "rbf", "sigmoid"]),
        gamma=random.choice(["auto", "scale"]),
        random_state=seed,
    )


def _linear_support_vectors(random: Random, seed: int) -> Any:
    from sklearn.svm import LinearSVC

    return LinearSVC(
        loss=random.choice(["hinge", "squared_hinge"]),
        max_iter=random.randint(800, 1000),
        random_state=seed,
    )


def _linear_discriminant(random: Random, seed: int) -> Any:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    solver = random.choice(["svd", "lsqr"])
    shrinkage = random.choice([None, "auto"]) if solver == "lsqr" else None
    return LinearDiscriminantAnalysis(solver=solver, shrinkage=shrinkage)


_ALGORITHMS: dict[str, Draw] = {
    "Random forest": _random_forest,
    "Gradient boosting": _gradient_boosting,
    "Bagging": _bagging,
    "AdaBoost": _boosting,
    "Neural network": _neural_network,
    "Decision tree": _decision_tree,
    "Nearest neighbours": _nearest_neighbours,
    "Support vectors": _support_vectors,
    "Linear support vectors": _linear_support_vectors,
    "Linear discriminant": _linear_discriminant,
}
