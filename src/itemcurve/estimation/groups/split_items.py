"""Items that differ between groups: one item of each group, which only that group has answered."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ModelError
from itemcurve.estimation.groups.settings import ROLES, GroupCodes
from itemcurve.estimation.groups.ties import Ties
from itemcurve.models.catalogue import with_parameters
from itemcurve.models.contract import ItemModel
from itemcurve.models.free_coordinates import free_cells, free_columns
from itemcurve.models.mixed import MixedModel
from itemcurve.models.parameters import Role
from itemcurve.responses.matrix import Responses

EVERYONE = -1


@dataclass(frozen=True, eq=False)
class SplitItems:
    """Items and their copies.

    Attributes
    ----------
    items : the item that each copy is of.
    groups : the group that answers it, `EVERYONE` where the item is the same for all.
    loose : roles in which copies of an item differ (copies each; empty for none).
    """

    items: NDArray[np.intp]
    groups: NDArray[np.intp]
    loose: tuple[frozenset[Role], ...]

    @classmethod
    def build(
        cls, n_items: int, n_groups: int, equal: Sequence[str], free: NDArray[np.bool_]
    ) -> "SplitItems":
        """Split items that `free` marks in everything, the others in what is not `equal`."""
        usual = frozenset(role for name, own in ROLES.items() if name not in equal for role in own)
        items, groups, loose = [], [], []
        for item in range(n_items):
            own = frozenset(Role) if free[item] else usual
            for group in range(n_groups) if own else (EVERYONE,):
                items.append(item)
                groups.append(group)
                loose.append(own)
        return cls(np.array(items), np.array(groups), tuple(loose))

    @property
    def is_split(self) -> bool:
        """Whether any item has copies."""
        return bool((self.groups != EVERYONE).any())

    def responses(self, responses: Responses, groups: GroupCodes) -> Responses:
        """Responses to the copies, missing where another group's is meant."""
        if not self.is_split:
            return responses
        weight = responses.weight()
        if weight is not None and not _is_zero_or_one(weight):
            raise ModelError(
                "Items that differ between groups need one response per cell.",
                "Some cells are repeated or weighted.",
                "Average them first: Responses.from_array(responses.array()).",
            )
        values = responses.array()[:, self.items]
        values[(self.groups != EVERYONE) & (self.groups != groups.codes[:, None])] = np.nan
        return Responses.from_array(values, responses.respondents, self.names(responses, groups))

    def names(self, responses: Responses, groups: GroupCodes) -> list[str]:
        """Ids of the copies."""
        return [
            responses.items[item] if group == EVERYONE else f"{responses.items[item]} [{name}]"
            for item, group in zip(self.items, self.groups, strict=True)
            for name in [groups.names[group] if group != EVERYONE else ""]
        ]

    def model(self, model: ItemModel) -> ItemModel:
        """The model of the copies: what is held of an item is held of each of them."""
        if isinstance(model, MixedModel):
            raise ModelError(
                "Groups, covariates and anchors need items of one model.",
                f"Got {', '.join(part.name for part in model.parts)}.",
                "Fit the items of each model apart.",
            )
        specs = tuple(
            replace(spec, fixed=tuple(cast(Any, spec.fixed)[item] for item in self.items))
            if isinstance(spec.fixed, tuple)
            else spec
            for spec in model.parameters
        )
        return with_parameters(model, specs)

    def ties(self, model: ItemModel, n_state: int) -> Ties:
        """Which coordinates of the copies are one and the same; `model` is that of the copies."""
        columns, count = free_columns(model), len(self.items)
        specs = [model.parameters[index] for index in columns]
        places = np.arange(count * len(columns)).reshape(count, len(columns))
        cells = free_cells(model, count)
        owner = places.copy()
        for column, spec in enumerate(specs):
            if spec.is_common:
                own = np.arange(count) if cells is None else np.flatnonzero(cells[:, column])
                owner[own, column] = places[own[0], column]
                continue
            is_loose = np.array([spec.role in loose for loose in self.loose])
            owner[:, column] = np.where(
                is_loose, places[:, column], places[self._first_copies, column]
            )
        rest = places.size + np.arange(n_state)
        return Ties(np.concatenate([owner.ravel(), rest]))

    @cached_property
    def _first_copies(self) -> NDArray[np.intp]:
        """The first copy of the item that each is a copy of."""
        _, first, index = np.unique(self.items, return_index=True, return_inverse=True)
        return np.asarray(first[index])

    def has_common(self, roles: tuple[Role, ...]) -> bool:
        """Whether some item is the same in all groups as far as these roles go."""
        return any(not loose.intersection(roles) for loose in self.loose)


def _is_zero_or_one(weight: Any) -> bool:
    values = np.unique(weight.data if hasattr(weight, "nnz") else np.asarray(weight))
    return bool(np.isin(values, (0.0, 1.0)).all())
