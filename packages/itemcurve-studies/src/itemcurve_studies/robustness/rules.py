"""What decides the claims on robustness: by our rule, and by the paper's own protocol.

The paper's protocol: all rows; instances that all or none of the pool answer right are left out, as
its code leaves out constant columns, and so are difficulties beyond ±6; curves and groups as the
text compares them, a model's two losses with each other, without a margin that the text has not.
The second verdicts are those of the run with all rows and 200 classifiers in the pool (`--rows 0
--seeds 20`), which nobody had looked at; of a smaller run they are a look ahead.
"""

from collections.abc import Mapping

from itemcurve_studies.study.rules import Rule

RULES: Mapping[str, Rule] = {
    "R1": Rule(
        "Below 0.1 % on every data set. In part: below 1 % on average.",
        "Of all instances that are answered both ways, of all data sets together: below 0.1 %. In "
        "part: below 1 %.",
    ),
    "R2": Rule(
        "Standard deviation of 0.6 to 1.6 on most data sets. In part: median below 2.",
        "Instances answered both ways, |b| ≤ 6: 0.6 to 1.6 on most data sets, and |skewness| < 1 "
        "on most. In part: one of both.",
    ),
    "R3": Rule(
        "Hardest and easiest by the mean. In part: the hardest.",
        "Instances answered both ways, |b| ≤ 6: the same.",
    ),
    "R4": Rule(
        "1 everywhere at λ = 0, lower at the largest share for 99 % of models × data sets, and the "
        "mean falls with every share. In part: without the 99 %.",
        "1 everywhere at λ = 0, and the mean over bins falls with every share for each of the "
        "models on average over data sets. In part: for the mean of all models.",
    ),
    "R5": Rule(
        "Of four kinds by a margin of 0.1 in κ, weak to difficulty is the most frequent. In part: "
        "a quarter of the pairs.",
        "Without a margin: at λ = 1 the hardest bin has the lowest κ of the five in more pairs of "
        "model and data set than any other bin, and the hardest loses more than the easiest in "
        "most (95 % interval over data sets above one half). In part: one of both.",
    ),
    "R6": Rule(
        "The most frequent destination takes more than half of the moves in the hardest bin, and "
        "more than in the easiest. In part: more.",
        spread="means over pairs with ten moves in both",
    ),
    "R7": Rule(
        "Spearman of class share and loss in the easiest bin above 0.3. In part: above 0.",
        spread="a rank correlation over 22 data sets",
    ),
    "R8": Rule(
        "The largest for every number of clusters. In part: for most.",
        spread="ranges over numbers of clusters",
    ),
    "R9": Rule(
        "DAND first from five on, DAN below. In part: one of both.",
        spread="ranges over numbers of clusters",
    ),
    "R10": Rule(
        "Elbow at 4 to 6. In part: best silhouette at 4 to 6.", spread="other linkages beside it"
    ),
    "R11": Rule(
        "All six in one cluster, and all lose less by difficulty. In part: 60 % of them, or most.",
        spread="counts; none",
    ),
    "R12": Rule(
        "In a cluster of at most two, and in the third that loses most by noise. In part: one.",
        spread="ranks on simple and complex data sets beside it",
    ),
    "R13": Rule(
        "Loss by noise below the median of the models, by difficulty above it. In part: one.",
        "LVQ loses more by difficulty than by noise: mean difference over data sets above 0, 95 % "
        "interval above 0. In part: the mean alone.",
    ),
    "R14": Rule(
        "Loss by noise above the median of the models, by difficulty below it. In part: one.",
        "Conditional trees lose more by noise than by difficulty: likewise.",
    ),
    "R15": Rule(
        "Loss by noise below the median of the models, by difficulty above it. In part: one.",
        "The perceptron loses more by difficulty than by noise: likewise.",
    ),
    "R16": Rule(
        "Less in both for three quarters of the models. In part: both means.",
        spread="± 90 % over models in the measured value",
    ),
    "R17": Rule("Within 0.005 on every complete data set.", spread="largest difference; none"),
    "R18": Rule(
        "Hardest tenth nearer to the other class, and |skewness| < 1 and |excess kurtosis| < 2, on "
        "all three by 1PL and β³. In part: nearer.",
        spread="counts of six; none",
    ),
    "R19": Rule(
        "Kendall's W below 0.7. In part: below 0.9.", spread="one number over 22 data sets; none"
    ),
}
