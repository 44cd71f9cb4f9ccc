"""Claims C12 to C16 of the paper on the IRT confusion matrix: what is in the cells."""

from itemcurve_studies.confusion.experiment import ConfusionStudy
from itemcurve_studies.study.claims import Claim, judge

_SHOWN = ("GB", "RF", "SVM", "LDA")


def judge_gradient_boosting(study: ConfusionStudy) -> Claim:
    """C12: the same counts."""
    found = (
        count(study, "GB", "TP", malformed=True),
        count(study, "GB", "FN", malformed=False),
        count(study, "GB", "FP", malformed=False),
        count(study, "GB", "TN", malformed=True),
    )
    positive, negative = (cell_mean(study, "GB", cell, "information") for cell in ("TP", "TN"))
    return Claim(
        "C12",
        "GB: all true positives discriminate positively, all false negatives negatively, one "
        "well-formed false positive, seven malformed true negatives",
        "0, 0, 1, 7 (of 42 TN); information .320 (TP), .043 (TN)",
        f"{', '.join(map(str, found))} (of {len(study.view.members('GB', 'TN'))} TN); information "
        f"{positive:.3f} (TP), {negative:.3f} (TN)",
        judge(found == (0, 0, 1, 7), found[:2] == (0, 0)),
        "the information of steep items depends on the ability, which the paper's code takes from "
        "half of the items",
        is_headline=True,
    )


def judge_random_forest(study: ConfusionStudy) -> Claim:
    """C13: the same counts, and Total Scores of the cells against those of GB."""
    errors = sum(count(study, "RF", cell, malformed=False) for cell in ("FP", "FN"))
    hits = (len(study.view.members("RF", "TP")), count(study, "RF", "TP", malformed=True))
    pairs = {
        cell: tuple(cell_mean(study, name, cell, "total_score") for name in ("RF", "GB"))
        for cell in ("TP", "TN")
    }
    is_lower = all(own < other for own, other in pairs.values())
    scores = "; ".join(f"{k} {own:.3f} against {other:.3f}" for k, (own, other) in pairs.items())
    return Claim(
        "C13",
        "RF hits more positives, some malformed; three well-formed items among its errors; lower "
        "Total Score than GB in TP and TN",
        "28 TP, 4 malformed, 3",
        f"{hits[0]} TP, {hits[1]} malformed, {errors}; Total Score {scores}",
        judge((*hits, errors) == (28, 4, 3) and is_lower, hits == (28, 4)),
        "a hit on a malformed item has a low P and lowers its cell's mean: GB has seven of them "
        "among its true negatives, RF two",
    )


def judge_cleanest(study: ConfusionStudy) -> Claim:
    """C14: the same counts."""
    machine = (
        count(study, "SVM", "TP", malformed=True),
        sum(count(study, "SVM", cell, malformed=False) for cell in ("FP", "FN")),
        count(study, "SVM", "TN", malformed=True),
    )
    linear = tuple(count(study, "LDA", cell, malformed=True) for cell in ("TP", "TN"))
    items = study.fit.items.set_index("item")[["discrimination", "discrimination_se"]]
    listed = ", ".join(
        f"{slope:.2f} ± {error:.2f}"
        for slope, error in items.loc[list(study.view.members("LDA", "TN"))].to_numpy()
        if slope < 0
    )
    return Claim(
        "C14",
        "SVM: one malformed TP, only negative discrimination among its errors, two malformed TN; "
        "LDA: none in TP, three in TN",
        "1, 0, 2; 0, 3",
        f"{', '.join(map(str, machine))}; {', '.join(map(str, linear))}",
        judge((machine, linear) == ((1, 0, 2), (0, 3)), machine == (1, 0, 2) and linear[0] == 0),
        f"the signs of LDA's malformed true negatives are uncertain: {listed}",
        is_headline=True,
    )


def judge_agreed(study: ConfusionStudy) -> Claim:
    """C15: malformed negatives that every classifier hits."""
    view = study.view
    agreed = int((view.agreed_items()["class"] == "0").sum())
    hits = view.is_right.sum(axis=0)
    most = max(hits[view.is_malformed & (view.y_true == 0)], default=0)
    return Claim(
        "C15",
        "One malformed item is a true negative for every model",
        "1",
        f"{agreed}",
        judge(agreed == 1, agreed > 1),
        f"no malformed negative is hit by more than {most} of {len(view.respondents)} classifiers",
    )


def judge_guessed_hits(study: ConfusionStudy) -> Claim:
    """C16: mean guessing by cell, in the four matrices shown."""
    table = study.view.frame().pivot(index="respondent", columns="cell", values="guessing")
    shown = table.loc[list(_SHOWN), ["TP", "FP", "FN", "TN"]]
    highest = shown.idxmax(axis=1) == "TP"
    return Claim(
        "C16",
        "True-positive cells have high mean guessing in all matrices shown",
        "none",
        "; ".join(
            f"{name}: {', '.join(f'{cell} {value:.2f}' for cell, value in row.items())}"
            for name, row in shown.iterrows()
        ),
        judge(bool(highest.all()), bool(highest.any())),
    )


def count(study: ConfusionStudy, respondent: str, cell: str, *, malformed: bool) -> int:
    """Count the malformed or the well-formed items in a cell."""
    view = study.view
    inside = view.cells[view.respondents.index(respondent)] == view.cell_names.index(cell)
    return int((inside & (view.is_malformed == malformed)).sum())


def cell_mean(study: ConfusionStudy, respondent: str, cell: str, column: str) -> float:
    """Give one number of the table of cells."""
    table = study.view.frame().set_index(["respondent", "cell"])
    return float(table[column].to_dict()[respondent, cell])
