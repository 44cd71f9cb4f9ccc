"""How large the study of β³ is: as in the paper, or a quick look."""

from dataclasses import dataclass

from itemcurve_studies.beta3.data import DIGIT_PAIRS
from itemcurve_studies.beta3.students.training import STEPS


@dataclass(frozen=True)
class Beta3Settings:
    """Repetitions and sizes.

    Attributes
    ----------
    seeds : draws of MOONS, CLUSTERS and MNIST 3 against 5.
    levels : shares of wrong test labels along which abilities are followed.
    digits : images to test on, 3 against 5.
    slow_seeds : seeds fitted by the two slow ways too, at the paper's noise.
    pairs, runs, pair_levels, pair_sizes : of figure 5: as many pairs and runs as the paper, with
        fewer images to train and test on (it has 1,000 of each for 3 against 5).
    student_sets : None for all; hold_outs and steps of each.
    fresh_draws : of each data set for algorithm 1, the paper's own way.
    """

    seeds: int = 20
    levels: tuple[float, ...] = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
    digits: int = 1000
    slow_seeds: int = 2
    pairs: tuple[tuple[int, int], ...] = DIGIT_PAIRS
    runs: int = 5
    pair_levels: tuple[float, ...] = (0.1, 0.2, 0.4)
    pair_sizes: tuple[int, int] = (400, 200)
    student_sets: tuple[str, ...] | None = None
    hold_outs: int = 30
    steps: int = STEPS
    fresh_draws: int = 5


QUICK = Beta3Settings(
    seeds=1,
    levels=(0.0, 0.2, 0.4, 0.5),
    digits=400,
    slow_seeds=0,
    pairs=((3, 5),),
    runs=1,
    pair_levels=(0.2, 0.4),
    pair_sizes=(400, 200),
    student_sets=("assist2009_updated", "sat12_scored", "fraction_subtraction", "sirt_read"),
    hold_outs=2,
    fresh_draws=0,
)
