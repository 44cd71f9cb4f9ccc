"""The likelihood of items of several models: each part's own, put together item by item."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from itemcurve.models.cells import Cells
from itemcurve.models.contract import ItemModel
from itemcurve.models.free_coordinates import free_columns
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.mixed import MixedModel
from itemcurve.numerics.engine import Array, Engine, Matrix
from itemcurve.numerics.shapes import (
    Abilities,
    Curve,
    ItemCoordinates,
    ItemMatrices,
    ItemValues,
    RespondentsByItems,
)

Tree = Any
"""An array with the items first, or lists of such arrays."""


@dataclass(frozen=True)
class MixedLikelihood(Likelihood):
    """What `Likelihood` gives, for a `MixedModel`.

    Channels have as many places as the part with most of them; a part with fewer leaves the others
    at zero, and its curves there too.
    """

    model: MixedModel

    @property
    def parts(self) -> list[Likelihood]:
        """The likelihood of each part."""
        return [Likelihood(part) for part in self.model.parts]

    def channels(self, observations: Any) -> list[RespondentsByItems | None]:
        """Channels of all parts (respondents × items each)."""
        from scipy.sparse import csr_array

        n_items = len(self.model.codes)
        slots: list[Matrix] = []
        for place, part in enumerate(self.parts):
            positions = np.flatnonzero(self.model.codes == place)
            own = observations.take(columns=positions.tolist())
            spread = csr_array(
                (np.ones(len(positions)), (np.arange(len(positions)), positions)),
                shape=(len(positions), n_items),
            )
            for slot, channel in enumerate(part.channels(own)):
                known = np.ones(own.shape) if channel is None else channel
                placed = known @ spread
                if slot == len(slots):
                    slots.append(placed)
                else:
                    slots[slot] = slots[slot] + placed
        return [*slots]

    def log_base(self, observations: Any) -> float:
        """Σ weight · h(y) of all parts."""
        total = 0.0
        for place, part in enumerate(self.parts):
            positions = np.flatnonzero(self.model.codes == place).tolist()
            total += part.log_base(observations.take(columns=positions))
        return total

    def curves(self, engine: Engine, abilities: Abilities, values: ItemValues) -> list[Curve]:
        """Curves of each item's own model."""
        found: list[Array] = self._put_together(
            engine, values, lambda part, own, _: part.curves(engine, abilities, own)
        )
        return found

    def item_slopes(
        self, engine: Engine, abilities: Abilities, values: ItemValues
    ) -> list[list[Curve]]:
        """Derivatives of the curves in each free coordinate: parameters × curves."""

        def slopes(part: Likelihood, own: Array, place: int) -> list[list[Array]]:
            found = part.item_slopes(engine, abilities, own)
            size = len(own), abilities.shape[0]
            blank = [engine.xp.zeros(size) for _ in found[0]]
            rows: list[list[Array]] = [list(blank) for _ in free_columns(self.model)]
            for place_of, row in zip(self.model.free_places(place), found, strict=True):
                rows[place_of] = [engine.xp.broadcast_to(entry, size) for entry in row]
            return rows

        found: list[list[Array]] = self._put_together(engine, values, slopes)
        return found

    def item_gradient(
        self, engine: Engine, abilities: Abilities, values: ItemValues, sums: Sequence[Curve]
    ) -> ItemCoordinates:
        """The score of each item (items × free)."""
        return self._put_together(
            engine,
            values,
            lambda part, own, place, *own_sums: self._spread(
                engine, place, part.item_gradient(engine, abilities, own, own_sums)
            ),
            sums,
        )

    def item_score(
        self, engine: Engine, abilities: Abilities, values: ItemValues, sums: Sequence[Curve]
    ) -> tuple[ItemCoordinates, ItemMatrices]:
        """The score of each item (items × free) and its Fisher information (… × free)."""

        def score(part: Likelihood, own: Array, place: int, *own_sums: Array) -> list[Array]:
            gradient, information = part.item_score(engine, abilities, own, own_sums)
            wide = self._spread(engine, place, information)
            return [
                self._spread(engine, place, gradient),
                self._spread(engine, place, wide.swapaxes(1, 2)).swapaxes(1, 2),
            ]

        gradient, information = self._put_together(engine, values, score, sums)
        return gradient, information

    def ability_information(
        self, engine: Engine, abilities: Abilities, values: ItemValues
    ) -> Curve:
        """Fisher information of one response about ability (items × abilities)."""
        return self._put_together(
            engine, values, lambda part, own, _: part.ability_information(engine, abilities, own)
        )

    def expected_response(self, engine: Engine, abilities: Abilities, values: ItemValues) -> Curve:
        """E[y] of each item (items × abilities)."""
        return self._put_together(
            engine, values, lambda part, own, _: part.expected_response(engine, abilities, own)
        )

    def response_moments(
        self, engine: Engine, abilities: Abilities, values: ItemValues
    ) -> list[Curve]:
        """E[y] and Var[y] of each item (items × abilities)."""
        found: list[Array] = self._put_together(
            engine, values, lambda part, own, _: part.response_moments(engine, abilities, own)
        )
        return found

    def cells(
        self,
        engine: Engine,
        abilities: Abilities,
        values: ItemValues,
        channels: Sequence[Curve],
        order: int,
    ) -> Cells:
        """Each cell's log-likelihood with derivatives in ability, then in all free coordinates."""
        size = 1 + len(free_columns(self.model))

        def cells(part: Likelihood, own: Array, place: int, *own_channels: Array) -> Tree:
            found = part.cells(engine, abilities, own, own_channels, order)
            zero = 0.0 * found.log_likelihood
            places = [0, *(1 + at for at in self.model.free_places(place))]
            scores = [zero] * size
            for at, score in zip(places, found.scores, strict=True):
                scores[at] = score
            information = [[zero] * size for _ in range(size if order > 1 else 0)]
            for at, row in zip(places, found.information, strict=order > 1):
                for other, entry in zip(places, row, strict=True):
                    information[at][other] = entry
            return [found.log_likelihood, scores, information]

        return Cells(*self._put_together(engine, values, cells, channels))

    def _spread(self, engine: Engine, place: int, array: Array) -> Array:
        """Put a part's free coordinates (second axis) where they lie among those of all."""
        places, size = self.model.free_places(place), len(free_columns(self.model))
        move = np.zeros((array.shape[1], size))
        move[np.arange(len(places)), places] = 1.0
        return engine.xp.einsum("ia...,ab->ib...", array, engine.place(move))

    def _put_together(
        self,
        engine: Engine,
        values: ItemValues,
        function: Callable[..., Tree],
        arrays: Sequence[Curve] = (),
    ) -> Tree:
        """Evaluate each part on its items and give everything in the order of the items.

        Parameters
        ----------
        function : of a part's likelihood, values, place, and its items' rows of `arrays`, of which
            it takes as many as it has curves.
        """
        found = []
        for place, part in enumerate(self.parts):
            rows = self.model.rows_of(values, place)
            count = len(part.model.family.statistics) + 1
            count += 2 * part.is_censored - (part.is_censored and not part.model.family.is_bounded)
            # Compiled code knows no number of rows: there every part sees all items.
            keep = rows if engine.name == "numpy" else slice(None)
            own = values[keep][:, self.model.columns_of(place)]
            inputs = [array[keep] for array in arrays[:count]]
            found.append((rows, function(part, own, place, *inputs)))
        return _merged(engine, found)


def likelihood_of(model: ItemModel) -> Likelihood:
    """The likelihood of a model, or of several over the same abilities."""
    return MixedLikelihood(model) if isinstance(model, MixedModel) else Likelihood(model)


def _merged(engine: Engine, found: Sequence[tuple[Array, Tree]]) -> Tree:
    """Choose each item's rows from the trees of all parts; shorter lists count as zeros."""
    trees = [tree for _, tree in found]
    if isinstance(trees[0], list | tuple):
        longest = max(len(tree) for tree in trees)
        return [
            _merged(engine, [(rows, tree[k]) for rows, tree in found if k < len(tree)])
            for k in range(longest)
        ]
    xp = engine.xp
    count = len(found[0][0])
    total = xp.zeros((count, *trees[0].shape[1:]))
    for rows, tree in found:
        if engine.name == "numpy":
            total[rows] = tree
        else:
            mask = rows.reshape(-1, *(1,) * (tree.ndim - 1))
            total = xp.where(mask, tree, total)
    return total
