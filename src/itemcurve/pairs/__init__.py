"""Votes between two: strengths, leaderboards, judges, and what else votes follow."""

from typing import TYPE_CHECKING

from itemcurve.lazy_names import attach

if TYPE_CHECKING:
    from itemcurve.pairs.ability_link import place_on_abilities as place_on_abilities
    from itemcurve.pairs.pair_fit import PairFit as PairFit
    from itemcurve.pairs.pair_status import PairStatus as PairStatus
    from itemcurve.pairs.saved_pairs import load_pairs as load_pairs
    from itemcurve.pairs.simulated_votes import simulate_votes as simulate_votes
    from itemcurve.pairs.votes.vote_table import read_votes as read_votes
else:
    __getattr__, __dir__ = attach(__name__)
