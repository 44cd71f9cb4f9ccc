"""Tables of the study of β³, and the data of its figures."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.analysis.respondents.leaderboard import LOSSES
from itemcurve_studies.beta3.fits import FIXED, measure_detection
from itemcurve_studies.beta3.students.comparison import METHODS
from itemcurve_studies.beta3.sweep import PAPER_NOISE

if TYPE_CHECKING:
    import pandas

METRICS = ("mean_response", "accuracy", "f1", "brier", "log_loss", "auc")
SHORT = {
    "Neural network": "MLP",
    "Nearest neighbours": "KNN",
    "Linear discriminant": "LDA",
    "Logistic regression": "LR",
    "Decision tree": "DT",
    "Naive Bayes": "NB",
    "Random forest": "RF",
    "Quadratic discriminant": "QDA",
    "AdaBoost": "AdaBoost",
}


def select(table: "pandas.DataFrame", **values: object) -> "pandas.DataFrame":
    """Rows in which these columns have these values."""
    for column, value in values.items():
        table = table[table[column] == value]
    return table


def list_tables(raw: Mapping[str, "pandas.DataFrame"]) -> "dict[str, pandas.DataFrame]":
    """Give every table that the data at hand allow, by name."""
    found: dict[str, pandas.DataFrame] = {}
    if "losses" in raw:
        found["table_1_students"] = compare_losses(raw["losses"])
        found["figure_3_questions"] = raw["questions"]
    known = set(raw["respondents"]["data"])
    for name, number in (("mnist", ""), ("clusters", "_clusters")):
        if name in known:
            found[f"table_2_metrics{number}"] = average_metrics(raw["respondents"], name)
            found[f"table_3_correlations{number}"] = correlate(raw["respondents"], name)
    found["figures_4_6_7_items"] = select(raw["items"], seed=0)
    found["detection_by_data"] = detect(raw["items"])
    if "detection" in raw:
        found["figure_5_detection"] = summarise_detection(raw["detection"])
    if "example_items" in raw:
        found["figure_4_items"] = raw["example_items"]
        found["figure_6_answers"] = raw["example_answers"]
    found["figure_8_abilities"] = follow_abilities(raw["respondents"])
    found["figure_9_ability_and_response"] = select(
        raw["respondents"], data="clusters", noise=PAPER_NOISE, seed=0
    )
    return found


def average_metrics(respondents: "pandas.DataFrame", data: str) -> "pandas.DataFrame":
    """Table 2: abilities in (0, 1) and metrics of the nine trained, means over seeds, by way."""
    own = select(respondents, data=data, noise=PAPER_NOISE)
    own = own[~own["respondent"].isin(FIXED)]
    columns = ["ability_01", *METRICS]
    means = own.groupby(["way", "respondent"], sort=False)[columns].mean()
    spread = own.groupby(["way", "respondent"], sort=False)["ability_01"].std()
    table = means.assign(ability_sd=spread).reset_index()
    return table.sort_values(["way", "ability_01"], ascending=[True, False], ignore_index=True)


def correlate(respondents: "pandas.DataFrame", data: str) -> "pandas.DataFrame":
    """Table 3: Spearman correlations of the nine, losses negated, means and sd over seeds."""
    import pandas

    own = select(respondents, data=data, noise=PAPER_NOISE)
    own = own[~own["respondent"].isin(FIXED)]
    rows = []
    for (way, seed), table in own.groupby(["way", "seed"]):
        values = table[["ability", *METRICS]].copy()
        for loss in set(LOSSES) & set(values):
            values[loss] = -values[loss]
        matrix = values.rank().corr()
        names, cells = list(matrix), matrix.to_numpy()
        rows += [
            (way, seed, first, second, cells[i, j])
            for i, first in enumerate(names)
            for j, second in enumerate(names)
        ]
    table = pandas.DataFrame(rows, columns=["way", "seed", "first", "second", "spearman"])
    groups = table.groupby(["way", "first", "second"], sort=False)["spearman"]
    return groups.agg(["mean", "std"]).reset_index()


def detect(items: "pandas.DataFrame") -> "pandas.DataFrame":
    """Negative items, precision, recall and AUROC of −a, by data set, noise, seed and way."""
    import pandas

    rows: list[dict[str, Any]] = []
    names = ["data", "noise", "way", "seed"]
    for keys, table in items.groupby(names, sort=False):
        slopes = table["discrimination"].to_numpy(float)
        flipped = table["flipped"].to_numpy(bool)
        rows.append(
            {
                **dict(zip(names, tuple(keys), strict=True)),
                **measure_detection(slopes, flipped),
                "auroc": rank_area(-slopes, flipped),
                "auroc_probability": rank_area(
                    table["probability_negative"].to_numpy(float), flipped
                ),
            }
        )
    return pandas.DataFrame(rows)


def rank_area(
    scores: "np.typing.NDArray[np.float64]", marked: "np.typing.NDArray[np.bool_]"
) -> float:
    """Area under the ROC curve; NaN where nothing is marked or scores are unknown.

    Examples
    --------
    >>> import numpy as np
    >>> rank_area(np.array([3.0, 1.0, 2.0]), np.array([True, False, False]))
    1.0
    """
    from scipy.stats import rankdata

    inside, outside = int(marked.sum()), int((~marked).sum())
    if not inside or not outside or not np.isfinite(scores).all():
        return float("nan")
    above = rankdata(scores)[marked].sum() - inside * (inside + 1) / 2
    return float(above / (inside * outside))


def summarise_detection(detection: "pandas.DataFrame") -> "pandas.DataFrame":
    """Figure 5: mean and sd of precision and recall over pairs and runs."""
    groups = detection.groupby(["way", "place", "noise"], sort=False)[["precision", "recall"]]
    table = groups.agg(["mean", "std"])
    table.columns = ["_".join(column) for column in table.columns]
    return table.reset_index()


def follow_abilities(respondents: "pandas.DataFrame") -> "pandas.DataFrame":
    """Figure 8: abilities along the share of wrong labels, means over seeds, beside accuracy."""
    keys = ["data", "way", "respondent", "noise"]
    columns = ["ability", "ability_01", "accuracy", "mean_response"]
    return respondents.groupby(keys, sort=False)[columns].mean().reset_index()


def compare_losses(losses: "pandas.DataFrame") -> "pandas.DataFrame":
    """Table 1: mean ± sd of the log-loss, and Wilcoxon tests of β³ against 2PL-ND and the 2PL."""
    import pandas

    rows = []
    for (data, scenario), own in losses.groupby(["data", "scenario"], sort=False):
        wide = own.pivot(index="hold_out", columns="method", values="log_loss")
        row = {"data": data, "scenario": scenario, "hold_outs": len(wide)}
        for method in (*METHODS, "question means"):
            row[method] = wide[method].mean()
            row[f"{method} sd"] = wide[method].std()
        row["p, beta3 = 2pl-nd"] = signed_rank(wide["beta3"] - wide["2pl-nd"])
        row["p, sum: beta3 = 2pl-nd"] = signed_rank(wide["beta3, sum"] - wide["2pl-nd, sum"])
        row["p, priors: beta3 = 2pl"] = signed_rank(
            wide["beta3, priors"] - wide["2pl, regularised"]
        )
        rows.append(row)
    return pandas.DataFrame(rows)


def signed_rank(differences: "pandas.Series") -> float:
    """P of the paired Wilcoxon signed-rank test; NaN where all are 0."""
    from scipy.stats import wilcoxon

    values = differences.to_numpy(float)
    return float(wilcoxon(values).pvalue) if np.any(values != 0) else float("nan")
