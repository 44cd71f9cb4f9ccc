"""What starting values of items are made from."""

from dataclasses import dataclass

from itemcurve.numerics.shapes import ItemCategories, PerItem


@dataclass(frozen=True, eq=False)
class ItemSummaries:
    """Responses to each item in a few numbers.

    Attributes
    ----------
    means : mean response.
    correlations : of the responses with the respondents' means on the other items.
    shares : share of responses in each category from the lowest up (items × categories), where
        responses are categories.
    """

    means: PerItem
    correlations: PerItem
    shares: ItemCategories | None = None
