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
    heights : mean score of the respondents in each category, on a scale of mean 0 and standard
        deviation 1 (items × categories), where categories come in no order.
    parts : the same of the items of each model, where there are several.
    """

    means: PerItem
    correlations: PerItem
    shares: ItemCategories | None = None
    heights: ItemCategories | None = None
    parts: "tuple[ItemSummaries, ...]" = ()
