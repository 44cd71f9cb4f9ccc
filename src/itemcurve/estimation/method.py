"""What every estimation method is given, and what it gives."""

from dataclasses import dataclass
from typing import Protocol

from itemcurve.estimation.estimates import Estimates
from itemcurve.estimation.optimisation.iterate import UNWATCHED, Watch
from itemcurve.models.contract import ItemModel
from itemcurve.numerics.engine import NUMPY, Engine
from itemcurve.responses.matrix import Responses


@dataclass(frozen=True, eq=False)
class FitTask:
    """What is to be fitted, by whom it is computed, and who is told of it."""

    responses: Responses
    model: ItemModel
    engine: Engine = NUMPY
    watch: Watch = UNWATCHED


class Method(Protocol):
    """Settings of a method: a frozen dataclass that holds no data."""

    def estimate(self, task: FitTask) -> Estimates:
        """Fit the model to the responses, or refuse with a `ModelError` that names the reason."""
