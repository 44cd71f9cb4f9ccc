"""Which data sets and which rule judge the adaptive search: written before it was run on them.

The ten sets were drawn by `numpy.random.default_rng(2026)` from the 40 of PMLB that have 400 to
6,000 rows, at most 100 features, 25 rows or more of every class and no other name; six further
sets of the same draw are those on which the search was developed.

Protocol. Of each set at most 1,000 rows, drawn in proportion to the classes; 70 % to search on,
30 % to test. Two spaces of 36 candidates each: support vectors (C × gamma) and a decision tree
(depth × smallest leaf), after standardising. Five folds, the same for all searches. Seeds 100 to
102 for rows, folds and models. Rivals: `HalvingGridSearchCV` with scikit-learn's defaults, and
`GridSearchCV`.

Rule. *Model fits* are trainings of candidates during the search, without the last refit. *Best
score* is the mean accuracy over all five folds (as the whole grid measures it) of the candidate
that a search chose. The bar, of each space: over the ten sets and three seeds the adaptive search
makes at least three times fewer fits than halving in sum, and on at least nine of ten sets its
mean best score is no more than one standard error below that of halving (standard error: of the
five fold scores of the grid's best candidate, mean over seeds). Accuracy on the test part and
processor seconds are reported beside it.
"""

JUDGED = (
    "analcatdata_dmft",
    "dis",
    "irish",
    "led24",
    "monk1",
    "monk3",
    "parity5+5",
    "phoneme",
    "splice",
    "waveform_40",
)
DEVELOPED_ON = (
    "balance_scale",
    "car_evaluation",
    "churn",
    "mfeat_morphological",
    "saheart",
    "vehicle",
)
SEEDS = (100, 101, 102)
MOST_ROWS = 1_000
TEST_SHARE = 0.3
FOLDS = 5
