"""Shapes by name, for signatures: the axes of an array, each word with one size in one call.

An annotation costs nothing when the package runs; the tests check every call against it
(`tests/shape_checks.py`). The words:

respondents, items; *units*, the side that is integrated out, and *entities*, the side that is
estimated; *points*, abilities or other places where curves are read, and *nodes*, those of an
integration; *dimensions* of ability; *parameters* of an item and their *free* coordinates, which
are estimated; *groups* of units, *coordinates* of a population and its *state*; *estimated*, all
that is: every entity's coordinates, then the state; *categories* of responses; *rows*, whatever is
treated alike.
"""

from typing import Annotated, NamedTuple

from itemcurve.numerics.engine import Array, Matrix


class Axes(NamedTuple):
    """The axes of an array, one word each.

    A number is a length. `"items|1"` is as long as there are items, or has length one and counts
    for all of them. `"*shape"` stands for any number of axes, the same ones wherever the word
    occurs. An annotation with several `Axes` allows each of them.
    """

    names: tuple[str, ...]

    def __str__(self) -> str:
        return " × ".join(self.names) or "a number"


def axes(words: str) -> Axes:
    """Give the axes named by words, separated by spaces."""
    return Axes(tuple(words.split()))


SameShape = Annotated[Array, axes("*shape")]
"""Any shape, the same throughout a call."""

# Respondents and items, as models and methods see them.
PerItem = Annotated[Array, axes("items")]
PerItemOrOne = Annotated[Array, axes("items"), axes("")] | float
"""A number for each item, or one for all."""
PerRespondent = Annotated[Array, axes("respondents")]
ItemValues = Annotated[Array, axes("items parameters")]
"""Item parameters as reported."""
ItemCoordinates = Annotated[Array, axes("items free")]
"""Unbounded coordinates of what is estimated of items, or something about each of them."""
ItemMatrices = Annotated[Array, axes("items free free")]
ItemColumn = Annotated[Array, axes("items 1")]
"""One number for each item, to be combined with curves."""
PerParameter = Annotated[Array, axes("parameters")]
PerCoordinate = Annotated[Array, axes("free")]
ItemCategories = Annotated[Array, axes("items categories")]
RespondentPoints = Annotated[Array, axes("respondents dimensions")]
ItemsByRespondents = Annotated[Array, axes("items respondents")]
RespondentsByItems = Annotated[Matrix, axes("respondents items")]
ItemCouplings = Annotated[Array, axes("items free respondents|0")]
"""Between items and abilities; empty where nobody needs it."""
Directions = Annotated[Array, axes("respondents directions")]
"""Of all abilities together."""
AbilityDraws = Annotated[Array, axes("chains draws respondents")]
PerDraw = Annotated[Array, axes("chains draws")]

# Curves of items at abilities.
AbilityPoints = Annotated[Array, axes("points dimensions"), axes("items points dimensions")]
"""Abilities, the same for all items or each item's own."""
Abilities = Annotated[
    Array, axes("points"), axes("points dimensions"), axes("items points dimensions")
]
"""The same; of one dimension also a plain column."""
PerPoint = Annotated[Array, axes("points")]
Curve = Annotated[Array, axes("items points")]
PointsByItems = Annotated[Array, axes("points items")]
CurveSlope = Annotated[Array, axes("items|1 points|1")]
"""A derivative, which may be the same for all items or at all points."""
BasisFunctions = Annotated[Array, axes("functions points")]
"""Functions of ability that curves are sums of."""
BasisWeights = Annotated[Array, axes("items functions")]

# One side integrated out, the other estimated.
PerEntity = Annotated[Array, axes("entities")]
EntityCoordinates = Annotated[Array, axes("entities free")]
EntityMatrices = Annotated[Array, axes("entities free free")]
EntityHeld = Annotated[Array, axes("entities held")]
EntityCurve = Annotated[Array, axes("entities nodes")]
EntitySlope = Annotated[Array, axes("entities|1 nodes|1")]
PerUnit = Annotated[Array, axes("units")]
UnitNodes = Annotated[Array, axes("units nodes")]
PerNode = Annotated[Array, axes("nodes")]
NodePoints = Annotated[Array, axes("nodes"), axes("nodes parameters")]
"""Nodes as curves take them: abilities, or item parameters."""
PopulationNodes = Annotated[Array, axes("coordinates nodes")]
"""Nodes as a population describes them."""
GroupNodes = Annotated[Array, axes("groups nodes")]
StateSlopes = Annotated[Array, axes("groups state nodes")]
NodeFeatures = Annotated[Array, axes("features nodes")]
SharedNodes = Annotated[Array, axes("nodes"), axes("items nodes")]
"""A number at each node, the same nodes for all items or each item's own."""
ItemLevels = Annotated[Array, axes("items levels")]
"""A distribution for each item."""
State = Annotated[Array, axes("state")]
StateMatrix = Annotated[Array, axes("state state")]
Estimated = Annotated[Array, axes("estimated")]
EstimatedMatrix = Annotated[Array, axes("estimated estimated")]

# Many small problems at once.
PerRow = Annotated[Array, axes("rows")]
PerColumn = Annotated[Array, axes("columns")]
RowPoints = Annotated[Array, axes("rows points")]
RowNodes = Annotated[Array, axes("rows nodes")]
RowPointNodes = Annotated[Array, axes("rows points nodes")]
SharedPoints = Annotated[Array, axes("rows points"), axes("points")]
"""Points of each row, or the same for all."""
NodeMatrix = Annotated[Array, axes("nodes nodes")]
RowsByColumns = Annotated[Matrix, axes("rows columns")]
Blocks = Annotated[Array, axes("blocks width width")]
"""Small square blocks along a diagonal, which meet in a corner."""
BlockVectors = Annotated[Array, axes("blocks width")]
BlockCouplings = Annotated[Array, axes("blocks width corner")]
Corner = Annotated[Array, axes("corner corner")]
CornerVector = Annotated[Array, axes("corner")]
