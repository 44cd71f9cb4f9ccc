"""Second verdicts on students, from trainings on toy answers and from made-up numbers."""

import pandas as pd
import pytest

from itemcurve_studies.beta3.students.fresh_hold_outs import train_once
from itemcurve_studies.beta3.students.paper_claims import judge_students


def rows(losses, negative=10, move=0.5):
    """Thirty hold-outs of every data set, with these losses of a method."""
    found = []
    for data in ("statics2011", "assist2009_updated", "sat12_scored"):
        for scenario in ("average", "first"):
            for hold_out in range(30):
                for method, loss in losses.items():
                    found.append(
                        {
                            "data": data,
                            "scenario": scenario,
                            "hold_out": hold_out,
                            "method": method,
                            "log_loss": loss + 0.001 * hold_out * (method == "2pl-nd"),
                            "questions": 100,
                            "flat": 46,
                            "negative": negative,
                            "flat_at_start": 48,
                            "median_move": move,
                        }
                    )
    return pd.DataFrame(found)


def verdicts(table):
    return {each.claim: each.verdict for each in judge_students(table)}


def test_lower_losses_that_are_sure_hold_and_others_do_not():
    found = verdicts(rows({"beta3": 0.9, "beta3, δ reversed": 0.5, "2pl-nd": 0.7}))
    assert found["B3"] == found["B4"] == "does not hold"
    assert found["B3 δ reversed"] == found["B4 δ reversed"] == "holds"
    assert found["B5"] == found["B6"] == "holds"


def test_a_share_that_the_start_decides_cannot_be_tested():
    table = rows({"beta3": 0.5, "beta3, δ reversed": 0.5, "2pl-nd": 0.7}, negative=30, move=0.01)
    found = verdicts(table)
    assert found["B5"] == "cannot be tested"
    assert found["B6"] == "does not hold"


def test_a_large_data_set_counts_as_its_questions():
    table = rows({"beta3": 0.5, "beta3, δ reversed": 0.5, "2pl-nd": 0.7})
    large = table["data"] == "statics2011"
    table.loc[large, ["questions", "flat", "median_move"]] = [1000, 460, 0.01]
    assert verdicts(table)["B5"] == "cannot be tested"


@pytest.mark.parametrize("seed", [1000, 1001])
def test_trainings_say_where_slopes_started_and_ended(answers, seed):
    table = train_once(answers, "toy", "first", seed, 200)["fresh_students"]
    assert table["method"].tolist() == ["beta3", "beta3, δ reversed", "2pl-nd"]
    assert (table["median_move"] > 0).all()
    assert (table["questions"] == 15).all()
