"""What constant answers are called where there are more than two classes, and none is negative."""

from collections.abc import Sequence

from itemcurve.evaluation.pools.pool import Pool
from itemcurve.evaluation.pools.standard_pools import FIXED

# Of two classes, the names of Chen et al. (2019).
_TWO = 2


def name_constants(pool: Pool, classes: Sequence[str]) -> Pool:
    """Call constant answers by what they say: `Constant 1/6`, `Always 'setosa'`.

    Of two classes they keep the names that they have in the standard pool, and so does whatever a
    user named like them.

    Examples
    --------
    >>> from itemcurve.evaluation.pools.standard_pools import standard_classifiers
    >>> name_constants(standard_classifiers(), ["ash", "elm", "oak"]).names[-3:]
    ('Constant 1/3', "Always 'oak'", "Always 'ash'")
    """
    from itemcurve.evaluation.pools.fixed_classifiers import FixedClassifier

    if len(classes) <= _TWO:
        return pool
    said = dict(zip(FIXED, constant_names(classes), strict=True))
    names = tuple(
        said[name] if name in said and isinstance(estimator, FixedClassifier) else name
        for name, estimator in pool
    )
    # Somebody may have named a model of their own like that.
    return pool if len(set(names)) < len(names) else Pool(names, pool.estimators, pool.references)


def constant_names(classes: Sequence[str]) -> tuple[str, str, str]:
    """Give the names of the three fixed answers of the standard pool, in its order."""
    if len(classes) <= _TWO:
        return FIXED
    return f"Constant 1/{len(classes)}", f"Always {classes[-1]!r}", f"Always {classes[0]!r}"
