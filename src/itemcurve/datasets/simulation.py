"""Simulated responses with known truth."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.models.catalogue import ParameterSetting, get_model
from itemcurve.models.contract import ItemModel
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class Simulation:
    """Responses with the abilities and item parameters that made them."""

    responses: Responses
    model: ItemModel
    abilities: Array
    values: Array

    @property
    def respondents(self) -> "pandas.DataFrame":
        """True abilities."""
        import pandas

        return pandas.DataFrame(
            {"respondent": self.responses.respondents, "ability": self.abilities}
        )

    @property
    def items(self) -> "pandas.DataFrame":
        """True item parameters."""
        import pandas

        return pandas.DataFrame({"item": self.responses.items, **self.model.report(self.values)})


def simulate(
    model: str | ItemModel = "2pl",
    *,
    respondents: int,
    items: int,
    seed: int,
    missing: float = 0.0,
    **parameters: ParameterSetting,
) -> Simulation:
    """Draw abilities, items and responses.

    Abilities are N(0, 1), standardised to the sample, or logits of uniform values where a model
    has abilities in (0, 1); item parameters come from the model's own
    generator (for logistic models b ~ N(0, 1), log a ~ N(0, 0.4²), c ~ Beta(5, 17),
    d ~ Beta(17, 5); the 1PL has one a).

    Parameters
    ----------
    missing : share of cells that are not observed, at random.
    parameters : hold item parameters at given values, as in `itemcurve.fit`.
    """
    if respondents < 1 or items < 1 or not 0 <= missing < 1:
        raise ModelError(
            "simulate needs at least one respondent, one item, and missing in [0, 1).",
            f"Got respondents={respondents}, items={items}, missing={missing}.",
            "Change these numbers.",
        )
    rng = np.random.default_rng(seed)
    chosen = get_model(model, **parameters)
    abilities = _draw_abilities(rng, respondents, chosen)
    values = chosen.draw(rng, items)
    eta = [part.T for part in Likelihood(chosen).natural(NUMPY, abilities, values)]
    drawn = chosen.family.sample(rng, eta)
    if missing:
        drawn = np.where(rng.random(drawn.shape) < missing, np.nan, drawn)
    return Simulation(Responses.from_array(drawn), chosen, abilities, values)


def _draw_abilities(rng: np.random.Generator, size: int, model: ItemModel) -> Array:
    if model.latent.is_logit:
        return rng.logistic(size=size)
    abilities = rng.normal(size=size)
    return (abilities - abilities.mean()) / abilities.std() if size > 1 else abilities
