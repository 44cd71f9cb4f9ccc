"""The respondents of two papers: twelve classifiers, ten regressors with three references."""

from itemcurve.evaluation.pools.pool import Pool

# Members of the first pool that never look at an item.
FIXED = ("Constant 0.5", "Always positive", "Always negative")


def standard_classifiers(seed: int = 0) -> Pool:
    """Give the twelve classifiers of Chen et al. (2019), section 5.

    Nine are trained, at the defaults scikit-learn had when the paper was written (10 trees in the
    forest, logistic regression by liblinear, one class against the rest where there are more than
    two); three give a fixed answer. The quadratic discriminant is regularised by 0.001, in every
    direction, so that it serves collinear features and more features than rows too: scikit-learn
    used to warn of these and now refuses.

    Parameters
    ----------
    seed : `random_state` of those that draw.

    Examples
    --------
    >>> len(standard_classifiers())
    12
    """
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.neural_network import MLPClassifier

    from itemcurve.evaluation.pools.fixed_classifiers import FixedClassifier
    from itemcurve.evaluation.pools.regularised_discriminant import RegularisedDiscriminant
    from itemcurve.evaluation.pools.smoothed_tree import SmoothedTree

    logistic = LogisticRegression(solver="liblinear", random_state=seed)
    members = {
        "Neural network": MLPClassifier(
            hidden_layer_sizes=(256, 64), max_iter=500, random_state=seed
        ),
        "Logistic regression": OneVsRestClassifier(logistic),
        "Decision tree": SmoothedTree(random_state=seed),
        "Nearest neighbours": KNeighborsClassifier(3),
        "Random forest": RandomForestClassifier(10, random_state=seed),
        "AdaBoost": AdaBoostClassifier(random_state=seed),
        "Naive Bayes": GaussianNB(),
        "Linear discriminant": LinearDiscriminantAnalysis(),
        "Quadratic discriminant": RegularisedDiscriminant(),
        "Constant 0.5": FixedClassifier("undecided"),
        "Always positive": FixedClassifier("positive"),
        "Always negative": FixedClassifier("negative"),
    }
    return Pool(tuple(members), tuple(members.values()))


def standard_regressors(seed: int = 0) -> Pool:
    """Give the ten regressors of Moraes et al. (Γ-IRT) with Optimal, Average and Worst.

    The neural networks are trained by L-BFGS for 1,000 and 500 iterations, as in the authors'
    code; the paper does not say.

    Parameters
    ----------
    seed : `random_state` of those that draw.

    Examples
    --------
    >>> standard_regressors().references
    ('Optimal', 'Average', 'Worst')
    """
    from sklearn.ensemble import AdaBoostRegressor, RandomForestRegressor
    from sklearn.linear_model import BayesianRidge, LinearRegression
    from sklearn.neighbors import KNeighborsRegressor
    from sklearn.neural_network import MLPRegressor
    from sklearn.svm import SVR
    from sklearn.tree import DecisionTreeRegressor

    members = {
        "Linear regression": LinearRegression(),
        "Bayesian ridge": BayesianRidge(),
        "Linear support vectors": SVR(kernel="linear"),
        "RBF support vectors": SVR(kernel="rbf", gamma="scale", C=5),
        "Nearest neighbours": KNeighborsRegressor(5),
        "Decision tree": DecisionTreeRegressor(random_state=seed),
        "Random forest": RandomForestRegressor(random_state=seed),
        "AdaBoost": AdaBoostRegressor(random_state=seed),
        "Neural network 100": MLPRegressor(
            hidden_layer_sizes=(100,), solver="lbfgs", max_iter=1000, random_state=seed
        ),
        "Neural network 50-50": MLPRegressor(
            hidden_layer_sizes=(50, 50),
            activation="logistic",
            solver="lbfgs",
            max_iter=500,
            random_state=seed,
        ),
    }
    return Pool(tuple(members), tuple(members.values()), ("Optimal", "Average", "Worst"))
