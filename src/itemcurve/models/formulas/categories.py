"""What all models of categories are made of, whether these come in an order or not."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from itemcurve.families.categorical import Categorical
from itemcurve.models.boundary import UNTREATED, Boundary
from itemcurve.models.formulas.used_categories import all_used
from itemcurve.models.parameters import ParameterSpec
from itemcurve.models.priors import Normal, Prior
from itemcurve.numerics import shapes


@dataclass(frozen=True)
class Categories:
    """A model of responses that are one of several categories; `used` is its last parameter.

    Attributes
    ----------
    codes : how the categories are written in the responses.
    is_open : whether a fit takes the categories from the responses.
    """

    name: str
    parameters: tuple[ParameterSpec, ...]
    codes: tuple[float, ...] = (0.0, 1.0, 2.0, 3.0, 4.0)
    is_open: bool = True
    orientation: int = 1
    dimensions: ClassVar[int] = 1
    boundary: ClassVar[Boundary] = UNTREATED
    ability_prior: ClassVar[Prior] = Normal(0.0, 3.0)

    @property
    def family(self) -> Categorical:
        """One of the categories."""
        return Categorical(self.codes)

    @property
    def categories(self) -> int:
        """How many there are, used by some item."""
        return len(self.codes)

    def report(self, values: shapes.ItemValues) -> Mapping[str, shapes.PerItem]:
        """What people read of an item."""
        raise NotImplementedError

    def location(self, values: shapes.ItemValues) -> shapes.PerItem:
        """The difficulty that `report` gives."""
        return self.report(values)["difficulty"]

    def population_form(self) -> Self:
        """The same: where nothing else is said, items are no sample of one population."""
        return self

    @property
    def _is_full(self) -> bool:
        """Whether all items have all categories."""
        return self.parameters[-1].fixed == all_used(self.categories)
