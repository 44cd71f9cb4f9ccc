"""Draws from a posterior on the reported scale, and what they say of themselves."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from itemcurve.errors import MissingExtraError, ModelError
from itemcurve.estimation.pointwise_log_likelihood import CellDensities
from itemcurve.models.contract import ItemModel
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import AbilityDraws, PerDraw, SameShape, axes
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    from xarray import DataTree

# Log densities of every cell under every draw: above this many they would not fit in memory.
_MOST_LOG_DENSITIES = 300_000_000


@dataclass(frozen=True, eq=False)
class Draws:
    """Draws of abilities and items that belong together.

    Attributes
    ----------
    abilities : chains × draws × respondents.
    values : item parameters (chains × draws × items × parameters).
    diverging : draws at which the sampler lost its way (chains × draws).
    population : locations and spreads, by name (chains × draws each).
    """

    abilities: AbilityDraws
    values: Annotated[Array, axes("chains draws items parameters")]
    diverging: PerDraw
    population: dict[str, PerDraw]

    @property
    def size(self) -> int:
        """Numbers held in all."""
        return int(self.abilities.size + self.values.size)

    def log_densities(
        self, model: ItemModel, responses: Responses, thin: int = 1
    ) -> Annotated[Array, axes("chains draws cells")]:
        """Log density of every observed cell under every draw (chains × draws × cells).

        Cells come row by row. Only every `thin`-th draw is used.
        """
        abilities, values = self.abilities[:, ::thin], self.values[:, ::thin]
        cells = responses.n_observed
        n_chains, n_draws = abilities.shape[:2]
        if n_chains * n_draws * cells > _MOST_LOG_DENSITIES:
            raise ModelError(
                f"Log densities of cells are given up to {_MOST_LOG_DENSITIES:,} numbers.",
                f"{cells:,} cells under {n_chains * n_draws:,} draws are more.",
                "Use every k-th draw with thin=k.",
            )
        densities = CellDensities.of(Likelihood(model), responses)
        found = np.empty((n_chains, n_draws, cells))
        for chain in range(n_chains):
            for draw in range(n_draws):
                found[chain, draw] = densities.log_density(
                    abilities[chain, draw], values[chain, draw]
                )
        return found


def split_rhat(draws: Annotated[Array, axes("chains draws *shape")]) -> SameShape:
    """Rank-normalised split R-hat of each quantity (chains × draws × … in, … out).

    Vehtari, Gelman, Simpson, Carpenter and Bürkner (2021).
    """
    return np.asarray(_array_stats().rhat(draws, chain_axis=0, draw_axis=1))


def effective_size(draws: Annotated[Array, axes("chains draws *shape")]) -> SameShape:
    """Effective number of draws, the smaller of bulk and tail (… out), as split_rhat."""
    stats = _array_stats()
    bulk, tail = (
        np.asarray(stats.ess(draws, chain_axis=0, draw_axis=1, method=method, prob=prob))
        for method, prob in (("bulk", None), ("tail", 0.05))
    )
    return np.minimum(bulk, tail)


def leave_one_out(
    log_densities: Annotated[Array, axes("chains draws cells")],
) -> tuple[Annotated[Array, axes("cells")], Annotated[Array, axes("cells")]]:
    """PSIS-LOO of each cell: expected log density and Pareto k̂ (cells each).

    Vehtari, Gelman and Gabry (2017); k̂ above 0.7 says that the approximation fails for a cell.
    """
    density, shape, _ = _array_stats().loo(log_densities, chain_axis=0, draw_axis=1)
    return np.asarray(density), np.asarray(shape)


def export_draws(
    draws: Draws, model: ItemModel, responses: Responses, thin: int, with_log_likelihood: bool
) -> "DataTree":
    """Give draws as an ArviZ DataTree, with log densities of the observed cells."""
    try:
        from arviz_base import from_dict
    except ImportError as error:
        raise _missing("arviz-base") from error
    posterior: dict[str, Any] = {"ability": draws.abilities[:, ::thin]}
    dims = {"ability": ["respondent"], "response": ["cell"]}
    for index, spec in enumerate(model.parameters):
        if spec.is_free:
            posterior[spec.name] = draws.values[:, ::thin, :, index]
            dims[spec.name] = ["item"]
    posterior |= {name: column[:, ::thin] for name, column in draws.population.items()}
    groups: dict[str, Any] = {
        "posterior": posterior,
        "sample_stats": {"diverging": draws.diverging[:, ::thin]},
    }
    if with_log_likelihood:
        groups["log_likelihood"] = {"response": draws.log_densities(model, responses, thin)}
        array = responses.array()
        groups["observed_data"] = {"response": array[~np.isnan(array)]}
    coords: dict[str, Any] = {
        "respondent": list(responses.respondents),
        "item": list(responses.items),
        "cell": np.arange(responses.n_observed),
    }
    return from_dict(groups, coords=coords, dims=dims)


def _array_stats() -> Any:
    try:
        from arviz_stats.base import array as array_statistics
    except ImportError as error:
        raise _missing("arviz-stats") from error
    return array_statistics.array_stats


def _missing(package: str) -> MissingExtraError:
    return MissingExtraError(
        f"Draws need the package {package}.",
        "It is not installed.",
        "Run: pip install 'itemcurve[bayes]'.",
    )
