"""Which parameters a flat maximum leaves open: where the objective hardly bends.

A flat maximum without a name helps nobody. Along the eigenvector of the observed information with
the lowest eigenvalue the data say least; the parameters that move most along it are what they do
not determine.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from itemcurve.numerics.shapes import EstimatedMatrix
from itemcurve.numerics.symmetric_matrices import decompose

PREFIX = "undetermined: "
_LEAST_SHARE = 0.1
_MOST_NAMES = 3


def flat_direction(information: EstimatedMatrix, names: Sequence[str]) -> dict[str, float]:
    """Shares of the parameters that move most along the flattest direction, as diagnostics.

    Parameters
    ----------
    information : observed, of all parameters.
    names : of the parameters, in the same order.

    Examples
    --------
    >>> import numpy as np
    >>> from itemcurve.estimation.identification.flat_direction import flat_direction
    >>> flat_direction(np.diag([40.0, 0.0, 9.0]), ["a", "b", "c"])
    {'undetermined: b': 1.0}
    """
    shares = decompose(information)[1][:, 0] ** 2
    chosen = np.argsort(-shares)[:_MOST_NAMES]
    # Where all move alike nobody has a large share: the largest are named all the same.
    least = min(_LEAST_SHARE, float(shares[chosen[0]]) / 2)
    return {PREFIX + names[i]: float(shares[i]) for i in chosen if shares[i] >= least}


def described(diagnostics: Mapping[str, float]) -> str:
    """What is undetermined, as an end of a sentence; empty where nothing was named."""
    found = {
        name.removeprefix(PREFIX): share
        for name, share in diagnostics.items()
        if name.startswith(PREFIX)
    }
    return ", ".join(f"{name} ({share:.0%} of the direction)" for name, share in found.items())
