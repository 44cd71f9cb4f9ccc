"""Families of classifiers that err in different ways: whom `itemcurve robustness` measures."""

from typing import Any

from itemcurve.evaluation.pools.pool import Pool


def classifier_families(seed: int = 0) -> Pool:
    """Give fifteen classifiers, each of another family, at plain settings of scikit-learn.

    Trees and four ensembles of them, prototypes and neighbours, lines, planes and curves, normal
    densities, a network. All but the trees want features on one scale: give tables and
    `prepare="always"`, or scaled arrays.

    Parameters
    ----------
    seed : `random_state` of those that draw.

    Examples
    --------
    >>> len(classifier_families())
    15
    """
    members = {**_trees(seed), **_densities_and_distances(), **_boundaries(seed)}
    return Pool(tuple(members), tuple(members.values()))


def _trees(seed: int) -> dict[str, Any]:
    from sklearn import ensemble
    from sklearn.tree import DecisionTreeClassifier

    return {
        "Decision tree": DecisionTreeClassifier(random_state=seed),
        "Bagging": ensemble.BaggingClassifier(random_state=seed),
        "Random forest": ensemble.RandomForestClassifier(random_state=seed),
        "Extra trees": ensemble.ExtraTreesClassifier(random_state=seed),
        "AdaBoost": ensemble.AdaBoostClassifier(random_state=seed),
        # Half the usual rounds: with many classes every round grows as many trees.
        "Gradient boosting": ensemble.HistGradientBoostingClassifier(
            max_iter=50, early_stopping=False, random_state=seed
        ),
    }


def _densities_and_distances() -> dict[str, Any]:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier, NearestCentroid

    from itemcurve.evaluation.pools.regularised_discriminant import RegularisedDiscriminant

    return {
        "Nearest neighbours": KNeighborsClassifier(),
        "Nearest centroid": NearestCentroid(),
        "Naive Bayes": GaussianNB(),
        "Linear discriminant": LinearDiscriminantAnalysis(),
        # scikit-learn's own refuses classes with fewer rows than features.
        "Quadratic discriminant": RegularisedDiscriminant(),
    }


def _boundaries(seed: int) -> dict[str, Any]:
    from sklearn.linear_model import LogisticRegression
    from sklearn.neural_network import MLPClassifier
    from sklearn.svm import SVC

    return {
        "Logistic regression": LogisticRegression(max_iter=1000),
        "Support vectors, poly": SVC(kernel="poly", degree=2, coef0=1.0, random_state=seed),
        "Support vectors, RBF": SVC(random_state=seed),
        "Neural network": MLPClassifier(max_iter=500, random_state=seed),
    }
