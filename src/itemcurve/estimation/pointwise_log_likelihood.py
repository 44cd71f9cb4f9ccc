"""Log densities of single responses: what held-out scores and leave-one-out need."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY, Array, as_dense
from itemcurve.numerics.shapes import Abilities, ItemValues, axes
from itemcurve.responses.matrix import Responses


@dataclass(frozen=True, eq=False)
class CellDensities:
    """The observed cells of responses, ready to be asked for their log density.

    A cell that lies beyond a censoring bound has the log probability of lying there.
    """

    likelihood: Likelihood
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    channels: tuple[Annotated[Array, axes("cells")], ...]
    base: Annotated[Array, axes("cells")]

    @classmethod
    def of(cls, likelihood: Likelihood, responses: Responses) -> "CellDensities":
        """Take the observed cells, row by row."""
        weight = responses.weight()
        observed = np.ones(responses.shape) if weight is None else as_dense(weight)
        rows, columns = np.nonzero(observed)
        channels = likelihood.channels(responses)
        picked = tuple(
            np.ones(len(rows)) if c is None else as_dense(c)[rows, columns].astype(float)
            for c in channels
        )
        base = as_dense(likelihood.cell_log_base(responses))[rows, columns]
        return cls(likelihood, rows, columns, picked, base)

    def log_density(
        self, abilities: Abilities, values: ItemValues
    ) -> Annotated[Array, axes("cells")]:
        """Log density of each cell (cells), given abilities and items × parameters."""
        curves = self.likelihood.curves(NUMPY, abilities, values)
        total = np.array(self.base, dtype=float)
        for channel, curve in zip(self.channels, curves, strict=True):
            total += channel * curve[self.columns, self.rows]
        return total
