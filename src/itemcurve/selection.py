"""Which item an adaptive test asks next: rules for `AdaptiveTest(select=..., exposure=...)`."""

from typing import TYPE_CHECKING

from itemcurve.lazy_names import attach

if TYPE_CHECKING:
    from itemcurve.adaptive.ability.exposure import Exposure as Exposure
    from itemcurve.adaptive.selection.content_balance import ContentBalanced as ContentBalanced
    from itemcurve.adaptive.selection.cost import CostAware as CostAware
    from itemcurve.adaptive.selection.fisher import Fisher as Fisher
    from itemcurve.adaptive.selection.kullback_leibler import KullbackLeibler as KullbackLeibler
    from itemcurve.adaptive.selection.likelihood_kl import (
        WeightedKullbackLeibler as WeightedKullbackLeibler,
    )
    from itemcurve.adaptive.selection.posterior_variance import (
        PosteriorVariance as PosteriorVariance,
    )
    from itemcurve.adaptive.selection.random_order import Random as Random
    from itemcurve.adaptive.selection.turns import InTurn as InTurn
    from itemcurve.adaptive.simulation.rule_comparison import compare_rules as compare_rules
else:
    __getattr__, __dir__ = attach(__name__)
