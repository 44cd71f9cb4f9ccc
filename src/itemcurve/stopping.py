"""When a test is over: rules for `AdaptiveTest(stop=...)` and `ScoreTest(stop=...)`.

And when it could have been over: the convergence point of simulated ones.
"""

from typing import TYPE_CHECKING

from itemcurve.lazy_names import attach

if TYPE_CHECKING:
    from itemcurve.adaptive.ability.stopping import ability_decided as ability_decided
    from itemcurve.adaptive.ability.stopping import ability_se as ability_se
    from itemcurve.adaptive.ability.stopping import all_of as all_of
    from itemcurve.adaptive.ability.stopping import any_of as any_of
    from itemcurve.adaptive.ability.stopping import group_decided as group_decided
    from itemcurve.adaptive.ability.stopping import max_items as max_items
    from itemcurve.adaptive.ability.stopping import no_useful_item as no_useful_item
    from itemcurve.adaptive.ability.stopping import score_half_width as score_half_width
    from itemcurve.adaptive.score.score_stopping import better_than as better_than
    from itemcurve.adaptive.score.score_stopping import score_decided as score_decided
    from itemcurve.adaptive.score.score_stopping import score_precision as score_precision
    from itemcurve.adaptive.simulation.convergence import find_convergence as find_convergence
    from itemcurve.adaptive.simulation.convergence import trace_errors as trace_errors
else:
    __getattr__, __dir__ = attach(__name__)
