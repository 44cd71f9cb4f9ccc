"""What every estimation method gives."""

from typing import Protocol

from itemcurve.estimation.estimates import Estimates
from itemcurve.estimation.optimisation.iterate import Checkpoint, Progress
from itemcurve.models.contract import ItemModel
from itemcurve.numerics.engine import Engine
from itemcurve.responses.matrix import Responses


class Method(Protocol):
    """Settings of a method: a frozen dataclass that holds no data."""

    def estimate(
        self,
        responses: Responses,
        model: ItemModel,
        *,
        engine: Engine,
        progress: Progress | None = None,
        checkpoint: Checkpoint | None = None,
    ) -> Estimates:
        """Fit the model to the responses, or refuse with a `ModelError` that names the reason."""
