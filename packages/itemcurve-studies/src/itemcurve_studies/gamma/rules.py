"""What decides the claims of the Γ paper: by our rule, and by the paper's own protocol.

The paper's protocol on the polynomial (its section IV and published code): one draw of 300 points,
one split, training on clean targets; at each of 21 levels 40 draws of noise in the test targets;
each fitted by algorithm 1 from a random start; item parameters and abilities averaged over the 40.
On Real Estate: one split and one run of algorithm 1, of unknown seeds; here 20 splits × 5 seeds, so
that a share of runs says how likely one such run shows what the paper shows. Data, splits and seeds
are none of those that our rule was applied to.
"""

from collections.abc import Mapping

from itemcurve_studies.study.rules import Rule

_IDENTITY = Rule("An identity: the numbers agree to 1e-9, limits as said.", spread="exact; none")
_BOTH = "By the published objective and by joint MAP"

RULES: Mapping[str, Rule] = {
    "G1": _IDENTITY,
    "G2": _IDENTITY,
    "G3": _IDENTITY,
    "G4": _IDENTITY,
    "G5": Rule(
        f"{_BOTH}: mean difficulty inside [0.4, 1.0] two standard errors above that at the ends, "
        "and more than half of the hardest tenth inside.",
        "Averages at σ = 0: more than half of the hardest tenth of the items inside [0.4, 1.0], "
        "and every one of the easiest tenth at |x| > 1.25. In part: one of both.",
    ),
    "G6": Rule(
        f"{_BOTH}: at σ = 0.25 and 0.5 the centre rises by two standard errors, and the ends by "
        "less than half as much.",
        "Averages: from 0 to 0.25 and from 0 to 0.5 the mean change in the centre is above 0 (95 % "
        "interval over its items), that at the ends less than half of it, and the mean of all "
        "items rises. In part: all but the ends.",
    ),
    "G7": Rule(
        f"{_BOTH}: the mean falls along the levels (ρ < −0.9), and discrimination correlates "
        "negatively with difficulty at every level.",
        "Averages at σ = 0, 0.25 and 0.5 (the levels shown): mean discrimination falls from each "
        "to the next (95 % interval over items below 0), and Spearman's ρ with difficulty is "
        "below 0 at all three. In part: one of both. Else it does not hold.",
    ),
    "G8": Rule(
        f"{_BOTH}: Pearson and Spearman, means over data sets, below 0 at every level.",
        "Averages at σ = 0, 0.25 and 0.5 (figure 7): Pearson below 0 at all three, 95 % interval "
        "below 0. In part: signs alone.",
    ),
    "G9": Rule(
        f"{_BOTH}: some item of some data set has a negative discrimination at σ = 0.5, and none "
        "at any smaller level.",
        "Averages over 40 runs of algorithm 1: no item is below 0 at any level before the last, "
        "at least one at σ = 0.5. In part: none at σ = 0 and 0.25, at least one at 0.5 (the three "
        "levels shown).",
    ),
    "G10": Rule(
        f"{_BOTH}: of the middle item of the hard region and of the ends the first is harder and "
        "discriminates less.",
        "Averages at σ = 0.25: the same two items.",
    ),
    "G11": Rule(
        f"{_BOTH}: the linear models' median errors are the highest at 90 % of the levels and "
        "rise, and the slope of their ability is two standard errors above 0.",
        "Averages: the mean normalised error of the three linear models lies above that of the "
        "seven others at 90 % of the levels, and both it and their mean ability are higher at "
        "σ = 0.5 than at 0 (95 % interval over the 40 draws). In part: two of the three.",
    ),
    "G12": Rule(
        f"{_BOTH}: the two highest mean abilities are theirs.",
        "Averages at σ = 0: the two highest abilities of the ten are those of random forest and "
        "RBF support vectors. In part: one of them.",
    ),
    "G13": Rule(
        f"{_BOTH}: the slope of the group's mean is two standard errors below 0.",
        "Averages: the ability of each of the seven is lower at σ = 0.5 than at 0. In part: "
        "their mean is.",
    ),
    "G14": Rule(
        f"{_BOTH}: slopes two standard errors below and above 0.",
        "Averages: Optimal's ability is lower at σ = 0.5 than at 0 and Average's higher (95 % "
        "intervals over draws). In part: one of them.",
    ),
    "G15": Rule(
        f"{_BOTH}: paired t-test over all cells, less and p < 0.05.",
        "Averages of algorithm 1: the paper's test, paired over steps × respondents; less and "
        "p < 0.05.",
    ),
    "G16": Rule(
        f"{_BOTH}: linear and Bayesian ridge vary more in 80 % of their cells; nonlinear ones but "
        "AdaBoost less in 90 % from step 10 on. In part: one of the two in both; else not.",
        "Averages of algorithm 1: the first in 80 % of their cells; and at every step from the "
        "10th on the mean over the six nonlinear models is below 0. In part: one of both.",
    ),
    "G17": Rule(
        f"{_BOTH}: difficulty and spread of prices inside two standard errors above outside.",
        "20 splits × 5 seeds of algorithm 1: mean difficulty inside above outside, 95 % interval "
        "over splits above 0, and so the spread of prices. In part: one of both.",
    ),
    "G18": Rule(
        f"{_BOTH}: such a pair exists in the 20 splits.",
        "20 splits × 5 seeds of algorithm 1: at least half of the runs have such a pair. In part: "
        "at least one run in twenty.",
    ),
    "G19": Rule(
        f"{_BOTH}: mean ρ over splits below −0.7 and 95 % of the splits below 0. In part: mean "
        "below −0.4; else not.",
        "20 splits × 5 seeds of algorithm 1: the median ρ is at most −0.7 (strong). In part: at "
        "most −0.4.",
    ),
    "G20": Rule(
        f"{_BOTH}: larger error and higher ability in more than half of the 20 splits.",
        "20 splits × 5 seeds of algorithm 1: in at least half of the runs. In part: in at least "
        "one run in twenty, so that one run of unknown seed may show it.",
    ),
}
