"""How complex a data set is: attributes and classes for its number of instances."""

from itemcurve.errors import EvaluationError

# Fabra-Boluda et al.: above this a data set counts as complex.
COMPLEX_ABOVE = 0.08


def data_complexity(instances: int, attributes: int, classes: int) -> float:
    """Give attributes × classes / instances (equation 12 of Fabra-Boluda et al.).

    The class column counts as an attribute: pass the number of features plus one. Above 0.08 a
    data set counts as complex.

    Examples
    --------
    >>> round(data_complexity(5500, 41, 11), 3)
    0.082
    """
    if min(instances, attributes, classes) < 1:
        raise EvaluationError(
            "A data set has at least one instance, attribute and class;",
            f"given are {instances}, {attributes} and {classes}.",
            "Count the class column as an attribute.",
        )
    return attributes * classes / instances
