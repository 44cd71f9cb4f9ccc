"""A bank of calibrated items: what a new respondent is measured against."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike

from itemcurve.errors import ModelError, ResponsesError
from itemcurve.models.capabilities import HasCategories
from itemcurve.models.catalogue import get_model
from itemcurve.models.contract import ItemModel
from itemcurve.models.formulas.used_categories import column_bits, used_by
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.shapes import (
    Curve,
    ItemMatrices,
    ItemValues,
    PerItem,
    PerPoint,
    PointsByItems,
    axes,
)
from itemcurve.responses.matrix import Responses

InformationKind = Literal["fisher", "kl"]
# The divergence is close to a parabola in so narrow a window: a few points integrate it exactly.
_WINDOW_POINTS = 4


@dataclass(frozen=True, eq=False)
class BankPart:
    """Items of one model: positions in the bank, parameters and their covariance."""

    model: ItemModel
    positions: PerItem
    values: ItemValues
    covariance: ItemMatrices

    @property
    def likelihood(self) -> Likelihood:
        """The likelihood of these items."""
        return Likelihood(self.model)


@dataclass(frozen=True, eq=False)
class Bank:
    """Calibrated items on one scale of ability; items of different models may be mixed.

    Attributes
    ----------
    ability_mean, ability_sd : the population of abilities that the items were calibrated on, the
        default prior of a new respondent.

    Examples
    --------
    >>> bank = Bank.from_parameters("2pl", discrimination=[1.0, 2.0], difficulty=[0.0, 1.0])
    >>> bank.expected_response(0.0).round(2).tolist()
    [[0.5, 0.12]]
    """

    items: tuple[str, ...]
    parts: tuple[BankPart, ...]
    ability_mean: float = 0.0
    ability_sd: float = 1.0

    @classmethod
    def from_parameters(
        cls,
        model: str | ItemModel,
        *,
        items: Sequence[str] | None = None,
        ability_mean: float = 0.0,
        ability_sd: float = 1.0,
        **parameters: ArrayLike,
    ) -> "Bank":
        """Give a bank of known items of one model; its parameters count as exactly known.

        Parameters
        ----------
        model : a name or a model.
        items : ids; numbered when left out.
        parameters : by name, as `discrimination`, `difficulty`, `guessing`; one number for all
            items or one per item. Those that the model holds may be left out.
        """
        form = get_model(model).population_form()
        values = _known_values(form, parameters)
        names = tuple(items) if items is not None else tuple(map(str, range(len(values))))
        if len(names) != len(values) or len(set(names)) != len(names):
            raise ModelError(
                "A bank needs one id of its own for each item.",
                f"Got {len(names)} ids, {len(set(names))} different, for {len(values)} items.",
                "Leave items out to number them.",
            )
        nothing = np.zeros((len(values), *(2 * (sum(s.is_free for s in form.parameters),))))
        part = BankPart(form, np.arange(len(values)), values, nothing)
        return cls(names, (part,), ability_mean, ability_sd)

    def __len__(self) -> int:
        return len(self.items)

    def __add__(self, other: "Bank") -> "Bank":
        """Items of both banks on one scale, that of the first; their abilities must agree."""
        twice = set(self.items) & set(other.items)
        if twice:
            raise ModelError(
                "Banks to be joined must have no item in common.",
                f"Both have {sorted(twice)[0]!r}.",
                "Rename or drop it with bank.select.",
            )
        moved = tuple(
            BankPart(p.model, p.positions + len(self), p.values, p.covariance) for p in other.parts
        )
        return Bank(
            self.items + other.items, self.parts + moved, self.ability_mean, self.ability_sd
        )

    @property
    def response_range(self) -> tuple[float, float]:
        """The lowest and the highest response that any item can give."""
        ends = [part.model.family.support for part in self.parts]
        return min(end.lower for end in ends), max(end.upper for end in ends)

    @cached_property
    def ranges(self) -> Annotated[Array, axes("items 2")]:
        """The lowest and the highest response that each item can give."""
        found = np.empty((len(self), 2))
        for part in self.parts:
            found[part.positions] = _ranges_of(part)
        return found

    def expected_response(self, abilities: ArrayLike) -> PointsByItems:
        """E[y] (abilities × items)."""
        points = np.atleast_1d(np.asarray(abilities, dtype=float))
        return self._gather(
            len(points), lambda part: part.likelihood.expected_response(NUMPY, points, part.values)
        )

    def information(
        self, abilities: ArrayLike, kind: InformationKind = "fisher", width: float = 0.1
    ) -> PointsByItems:
        """Information about ability (abilities × items), exact.

        Parameters
        ----------
        kind : `"fisher"`, or `"kl"`, the divergence of responses at abilities up to `width` away,
            integrated over that window.
        """
        points = np.atleast_1d(np.asarray(abilities, dtype=float))
        if kind == "kl":
            return self._divergence(points, width)
        if kind != "fisher":
            raise ModelError(
                "The kind of information must be 'fisher' or 'kl'.",
                f"Got {kind!r}.",
                "Leave it out for Fisher information.",
            )
        return self._gather(
            len(points),
            lambda part: part.likelihood.ability_information(NUMPY, points, part.values),
        )

    def kl_information(self, ability: float, others: ArrayLike) -> PointsByItems:
        """Kullback-Leibler divergence of a response at `others` from one at `ability`.

        Returns
        -------
        Others × items.
        """
        points = np.atleast_1d(np.asarray(others, dtype=float))
        here = np.array([float(ability)])
        return self._gather(
            len(points),
            lambda part: part.likelihood.kl_information(NUMPY, here, points, part.values),
        )

    def positions(self, items: Iterable[str]) -> PerItem:
        """Places of these items in the bank."""
        wanted = list(items)
        unknown = [item for item in wanted if item not in self._places]
        if unknown:
            raise ResponsesError(
                "Every item must be in the bank.",
                f"{len(unknown)} of {len(wanted)} are not, the first is {unknown[0]!r}; the bank "
                f"has {len(self)} items, the first is {next(iter(self.items), None)!r}.",
                "Score against the bank that was fitted on these items, or drop the others with "
                "responses.select(items=...).",
            )
        return np.array([self._places[item] for item in wanted], dtype=int)

    def select(self, items: Iterable[str]) -> "Bank":
        """The bank of these items, in this order."""
        return self.take(self.positions(items))

    def take(self, positions: ArrayLike) -> "Bank":
        """The bank of the items at these places, in this order."""
        places = np.asarray(positions, dtype=int)
        owner, row = self._owners
        parts = []
        for index, part in enumerate(self.parts):
            mine = np.flatnonzero(owner[places] == index)
            if len(mine):
                kept = row[places[mine]]
                parts.append(BankPart(part.model, mine, part.values[kept], part.covariance[kept]))
        items = tuple(self.items[place] for place in places)
        return Bank(items, tuple(parts), self.ability_mean, self.ability_sd)

    def aligned(self, responses: Responses) -> "Bank":
        """The bank's items in the order of the responses' columns."""
        return self.select(responses.items)

    @cached_property
    def mark(self) -> str:
        """SHA-256 of everything the bank holds: equal marks mean equal banks."""
        # Asked for at every saving of a session: a large bank is packed and hashed once.
        from itemcurve.bank.saved_bank import bank_mark

        return bank_mark(self)

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {item: index for index, item in enumerate(self.items)}

    @cached_property
    def _owners(self) -> tuple[PerItem, PerItem]:
        """Which part each item belongs to, and its row there."""
        owner, row = np.empty(len(self), dtype=int), np.empty(len(self), dtype=int)
        for index, part in enumerate(self.parts):
            owner[part.positions] = index
            row[part.positions] = np.arange(len(part.positions))
        return owner, row

    def _divergence(self, points: PerPoint, width: float) -> PointsByItems:
        """∫ KL(θ, θ*) dθ* over |θ* − θ| ≤ width (abilities × items)."""
        if not 0 < width < np.inf:
            raise ModelError(
                "The window of KL information needs a finite width above 0.",
                f"Got {width!r}.",
                "Use 0.1 if unsure.",
            )
        nodes, weights = np.polynomial.legendre.leggauss(_WINDOW_POINTS)
        others = (points[:, None] + width * nodes).ravel()
        here = np.repeat(points, len(nodes))

        def windows(part: BankPart) -> Curve:
            gain = part.likelihood.kl_information(NUMPY, here, others, part.values)
            return width * (gain.reshape(len(part.positions), len(points), -1) @ weights)

        return self._gather(len(points), windows)

    @cached_property
    def _is_one_part(self) -> bool:
        """Whether all items are of one part, in its order: nothing is to be put in its place."""
        order = np.arange(len(self))
        return len(self.parts) == 1 and np.array_equal(self.parts[0].positions, order)

    def _gather(self, n_abilities: int, curve: Callable[[BankPart], Array]) -> PointsByItems:
        if self._is_one_part:
            return np.array(curve(self.parts[0]).T)
        found = np.empty((n_abilities, len(self)))
        for part in self.parts:
            found[:, part.positions] = curve(part).T
        return found


def _ranges_of(part: BankPart) -> Annotated[Array, axes("items 2")]:
    """The ends of the model's range; of categories, those that an item has."""
    model = part.model
    if not isinstance(model, HasCategories):
        return np.broadcast_to(np.array(model.family.support), (len(part.values), 2))
    used, codes = used_by(column_bits(part.values), len(model.codes)), np.array(model.codes)
    last = used.shape[1] - 1 - used[:, ::-1].argmax(axis=1)
    return np.stack([codes[used.argmax(axis=1)], codes[last]], axis=1)


def _known_values(model: ItemModel, parameters: Mapping[str, ArrayLike]) -> ItemValues:
    """Item parameters by name as columns in the model's own order (items × parameters)."""
    names = [spec.name for spec in model.parameters]
    given = {name: np.asarray(value, dtype=float) for name, value in parameters.items()}
    missing = [s.name for s in model.parameters if s.fixed is None and s.name not in given]
    unknown = [name for name in given if name not in names]
    if missing or unknown or any(v.ndim > 1 or not np.isfinite(v).all() for v in given.values()):
        raise ModelError(
            f"{model.name} needs finite numbers for {', '.join(names)}, one or one per item.",
            f"Missing: {', '.join(missing) or 'none'}; unknown: {', '.join(unknown) or 'none'}.",
            "Give each by name.",
        )
    columns = [
        np.atleast_1d(np.asarray(given.get(spec.name, np.asarray(spec.fixed)), dtype=float))
        for spec in model.parameters
    ]
    return np.stack(np.broadcast_arrays(*columns), axis=1)
