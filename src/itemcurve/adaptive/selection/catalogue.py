"""Selection rules by name."""

from collections.abc import Mapping

from itemcurve.adaptive.selection.contract import SelectionRule
from itemcurve.adaptive.selection.fisher import Fisher
from itemcurve.adaptive.selection.kullback_leibler import KullbackLeibler
from itemcurve.adaptive.selection.likelihood_kl import WeightedKullbackLeibler
from itemcurve.adaptive.selection.posterior_variance import PosteriorVariance
from itemcurve.adaptive.selection.random_order import Random
from itemcurve.adaptive.selection.turns import InTurn
from itemcurve.errors import ModelError

RULES: Mapping[str, SelectionRule] = {
    "fisher": Fisher(),
    "kl": KullbackLeibler(),
    "weighted-kl": WeightedKullbackLeibler(),
    "posterior-variance": PosteriorVariance(),
    "random": Random(),
    "combined": InTurn(),
}


def get_rule(select: str | SelectionRule) -> SelectionRule:
    """Give a selection rule by name, or the rule itself.

    Examples
    --------
    >>> get_rule("kl")
    KullbackLeibler(width=0.1)
    """
    if isinstance(select, str) and select in RULES:
        return RULES[select]
    if isinstance(select, str) or not callable(select):
        raise ModelError(
            f"A selection rule is one of {', '.join(RULES)}, or a function of bank and state.",
            f"Got {select!r}.",
            "Use 'fisher' if unsure.",
        )
    return select
