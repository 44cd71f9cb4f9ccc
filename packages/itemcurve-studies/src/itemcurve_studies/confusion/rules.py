"""What decides the claims on the IRT confusion matrix: by our rule, and by the paper's protocol.

The paper's protocol (its published notebook): 3PL without priors; abilities by maximum likelihood
from the half of the items with the larger discrimination, because its items are sorted by the wrong
column. Its pool has the seeds 0 to 19, so that there is nothing to draw anew.
"""

from collections.abc import Mapping

from itemcurve_studies.study.rules import Rule

# The paper has one split of one data set, and so have we: counts and ranks on it have no interval.
_ONE_SPLIT = "one split of one data set; none"

RULES: Mapping[str, Rule] = {
    "C1": Rule(
        "Mean and median difficulty below 0, discrimination above.",
        "Without priors: the same signs.",
    ),
    "C2": Rule(
        "15 to 35 % below 0.",
        "Without priors: 20 to 30 % below 0 (a quarter). In part: 15 to 35 %.",
    ),
    "C3": Rule(
        "Minority items guess more (rank test), and most majority items not at all without "
        "priors. In part: the first.",
        "Without priors: mean guessing of the minority above that of the majority, and most "
        "majority items below 0.01. In part: one.",
    ),
    "C4": Rule(
        "Three minority items three interquartile ranges below the lower quartile under the "
        "default prior. In part: without priors.",
        "Without priors: three. In part: two to four.",
    ),
    "C5": Rule(
        "GB first in five of six, sixth in recall; LSVM first in recall. In part: four.",
        spread=_ONE_SPLIT,
    ),
    "C6": Rule("GB, RF, MLP in this order, MLP steadiest. In part: GB, RF.", spread=_ONE_SPLIT),
    "C7": Rule(
        "BAG first, GB second.",
        "Without priors, abilities from the more discriminating half: BAG first, GB second, less "
        "than 0.001 apart. In part: both among the first three, less than 0.005 apart.",
    ),
    "C8": Rule(
        "GB, RF, LDA in this order. In part: these three.",
        "Without priors, abilities from the more discriminating half: GB, RF, LDA in this order. "
        "In part: these three.",
    ),
    "C9": Rule("p < 1e-4.", spread="the p-values themselves"),
    "C10": Rule("All six p > 0.05. In part: four.", spread="the p-values themselves"),
    "C11": Rule(
        "p < 0.05 for all but F1 and recall. In part: for four.", spread="the p-values themselves"
    ),
    "C12": Rule(
        "The four counts. In part: those of true positives and false negatives.", spread=_ONE_SPLIT
    ),
    "C13": Rule(
        "The three counts and lower scores. In part: the counts of true positives.",
        spread=_ONE_SPLIT,
    ),
    "C14": Rule(
        "All counts of both. In part: all of SVM's and LDA's of true positives.", spread=_ONE_SPLIT
    ),
    "C15": Rule("One such item. In part: more.", spread=_ONE_SPLIT),
    "C16": Rule(
        "Mean guessing highest in the cell of true positives, all shown. In part: some.",
        spread=_ONE_SPLIT,
    ),
    "C17": Rule(
        "LDA and SVM first on all six, GB next. In part: on five, at least 0.95.", spread=_ONE_SPLIT
    ),
}
