"""What starting values of items are made from."""

from dataclasses import dataclass

from itemcurve.numerics.engine import Array


@dataclass(frozen=True, eq=False)
class ItemSummaries:
    """Responses to each item in a few numbers (items each).

    Attributes
    ----------
    means : mean response.
    correlations : of the responses with the respondents' means on the other items.
    shares : share of responses in each category from the lowest up (items × categories), where
        responses are categories.
    """

    means: Array
    correlations: Array
    shares: Array | None = None
