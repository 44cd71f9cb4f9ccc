"""Tables 1 to 3 and the data behind figures 3 to 8 of the study on the IRT confusion matrix."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.confusion.confusion_matrix import confusion
from itemcurve.analysis.metrics.filtered_metrics import rank_values
from itemcurve.bank.ability_estimation import score
from itemcurve.numerics.engine import Array
from itemcurve.responses.matrix import Responses
from itemcurve_studies.confusion.experiment import ConfusionStudy, name_classes

if TYPE_CHECKING:
    import pandas

_LARGEST_DIFFICULTY = 10.0
_DRAWS = 4_001


def list_tables(study: ConfusionStudy) -> dict[str, "pandas.DataFrame"]:
    """Give all tables by name."""
    return {
        "table_1_metrics": classical_metrics(study),
        "table_2_scores": irt_scores(study),
        "table_3_well_formed": study.metrics.table(well_formed=True),
        "ranks": study.metrics.frame(),
        "mean_ranks": study.metrics.mean_ranks(),
        "figure_3_items": study.summary.frame(),
        "figure_4_items": item_table(study),
        "figure_5_nemenyi": study.comparison.matrix().reset_index(names="metric"),
        "figures_6_to_8_cells": study.view.frame(),
        "agreed_items": study.view.agreed_items(),
        "recommendation": study.recommendation.frame(),
        "sensitivity": sensitivity(study),
        "tuning": tuning(study),
    }


def classical_metrics(study: ConfusionStudy) -> "pandas.DataFrame":
    """Table 1, with ranks, and the real area under the ROC curve beside that of labels."""
    from sklearn.metrics import roc_auc_score

    table = study.metrics.table()
    for name in list(table.columns[1:]):
        table[f"{name}_rank"] = rank_values(table[name].to_numpy())
    table["auc"] = [
        roc_auc_score(study.heart.y_test, study.tuned.ranking[name]) for name in table["respondent"]
    ]
    return table


def irt_scores(study: ConfusionStudy) -> "pandas.DataFrame":
    """Table 2: abilities, True Score and Total Score with standard errors and ranks.

    The last two columns repeat the paper's way to an ability: maximum likelihood on the half of the
    items with the larger discrimination, within the ±4 of its search.
    """
    view = study.view
    table = view.scores.frame()
    for name in ("true_score", "total_score"):
        table[f"{name}_rank"] = rank_values(table[name].to_numpy())
    order = np.argsort(view.parameters["discrimination"])
    half = [view.bank.items[i] for i in np.sort(order[len(order) // 2 :])]
    answers = Responses.from_array(
        view.is_right.astype(np.int8), view.respondents, view.bank.items
    ).select(items=half)
    theta = np.clip(score(view.bank, answers, method="ml").ability, -4.0, 4.0)
    chances = view.bank.expected_response(theta).mean(axis=1)
    return table.assign(half_ability=theta, half_true_score=chances)


def item_table(study: ConfusionStudy) -> "pandas.DataFrame":
    """Figure 4: every test instance with its parameters and class."""
    table = study.fit.items[
        [
            "item",
            "discrimination",
            "discrimination_se",
            "difficulty",
            "difficulty_se",
            "guessing",
            "mean_response",
            "flags",
        ]
    ]
    return table.assign(
        **{
            "difficulty_median": _median_difficulty(study),
            "class": name_classes(study.heart.y_test),
        }
    )


def _median_difficulty(study: ConfusionStudy) -> Array:
    """Give the median of b = −e/a over the uncertainty of slope and intercept.

    Where the slope may be 0, b itself has no bound and says nothing; its median stays sensible.
    """
    rng = np.random.default_rng(0)
    estimates = study.fit.estimates
    pairs = [
        rng.multivariate_normal(values[:2], covariance[:2, :2], size=_DRAWS)
        for values, covariance in zip(estimates.values, estimates.covariance, strict=True)
    ]
    return np.array([np.median(-pair[:, 1] / pair[:, 0]) for pair in pairs])


def sensitivity(study: ConfusionStudy) -> "pandas.DataFrame":
    """What depends on the pool and on the side that is integrated out."""
    import pandas

    fits = {
        "pool of the paper, over respondents": study.fit,
        "pool of the paper, without priors": study.plain,
        "pool of the paper, over items": study.over_items,
        "another pool, over respondents": study.other_pool,
    }
    first = study.fit.items["discrimination"].to_numpy() < 0
    reference = study.view.scores.total_score
    rows = []
    for name, own in fits.items():
        view = confusion(own, study.heart.y_test, study.tuned.labels)
        items = own.items
        order = np.argsort(-view.scores.total_score)
        rows.append(
            {
                "calibration": name,
                "status": str(own.status),
                "negative_share": float(view.is_malformed.mean()),
                "same_sign": float((view.is_malformed == first).mean()),
                "mean_discrimination": float(items["discrimination"].mean()),
                "median_difficulty": float(items["difficulty"].median()),
                "largest_difficulty": float(items["difficulty"].abs().max()),
                "difficulties_beyond_10": int(
                    (items["difficulty"].abs() >= _LARGEST_DIFFICULTY).sum()
                ),
                "first_three_by_total_score": ", ".join(view.respondents[i] for i in order[:3]),
                "total_score_correlation": float(
                    np.corrcoef(reference, view.scores.total_score)[0, 1]
                ),
            }
        )
    return pandas.DataFrame(rows)


def tuning(study: ConfusionStudy) -> "pandas.DataFrame":
    """What the grid search chose, and whether the paper's did too."""
    import pandas

    names = list(study.tuned.settings)
    return pandas.DataFrame(
        {
            "respondent": names,
            "settings": [study.tuned.settings[name] for name in names],
            "as_published": [study.tuned.as_published[name] for name in names],
        }
    )
