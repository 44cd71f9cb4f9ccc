"""Pools of estimators to evaluate, and ensembles of them weighed by ability."""

from typing import TYPE_CHECKING

from itemcurve.lazy_names import attach

if TYPE_CHECKING:
    from itemcurve.evaluation.ability_weights import compare_ensembles as compare_ensembles
    from itemcurve.evaluation.ability_weights import weigh_abilities as weigh_abilities
    from itemcurve.evaluation.pools.classifier_families import (
        classifier_families as classifier_families,
    )
    from itemcurve.evaluation.pools.pool import Pool as Pool
    from itemcurve.evaluation.pools.random_pools import random_pool as random_pool
    from itemcurve.evaluation.pools.standard_pools import (
        standard_classifiers as standard_classifiers,
    )
    from itemcurve.evaluation.pools.standard_pools import standard_regressors as standard_regressors
else:
    __getattr__, __dir__ = attach(__name__)
