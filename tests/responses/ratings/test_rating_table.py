"""Ratings from tables and files."""

import pandas as pd
import pytest

from itemcurve.datasets.simulated_ratings import simulate_ratings
from itemcurve.errors import ResponsesError
from itemcurve.judges import RatingColumns, Ratings

TABLE = pd.DataFrame(
    {
        "respondent": ["a", "a", "b", "b"],
        "item": [1, 1, 1, 2],
        "rater": ["x", "y", "x", "y"],
        "rating": [1, 5, None, 2],
        "when": ["2026-01-02", "2026-01-01", "2026-01-03", "2026-01-04"],
    }
)


def test_missing_ratings_and_unused_grades_are_left_out():
    ratings = Ratings.from_frame(TABLE)
    assert ratings.grades == (1.0, 2.0, 5.0)
    assert ratings.values.tolist() == [1, 5, 2]
    assert ratings.items == ("1", "2")


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "csv.gz", "parquet"])
def test_files_hold_the_same(tmp_path, ending):
    path = tmp_path / f"ratings.{ending}"
    if ending == "jsonl":
        TABLE.to_json(path, orient="records", lines=True)
    elif ending == "parquet":
        pytest.importorskip("pyarrow")
        TABLE.to_parquet(path)
    else:
        TABLE.to_csv(path, index=False, sep="\t" if ending == "tsv" else ",")
    found = Ratings.read(path, RatingColumns(time="when"))
    expected = Ratings.from_frame(TABLE, RatingColumns(time="when"))
    pd.testing.assert_frame_equal(found.frame(), expected.frame())
    assert found.time.tolist() == [1, 0, 3]


def test_what_is_no_table_of_ratings_is_refused(tmp_path):
    with pytest.raises(ResponsesError, match="no file"):
        Ratings.read(tmp_path / "none.csv")
    with pytest.raises(ResponsesError, match="one row per rating"):
        Ratings.from_frame([1, 2])
    with pytest.raises(ResponsesError, match="Ratings must differ"):
        Ratings.from_frame(TABLE.assign(rating=3))
    with pytest.raises(ResponsesError, match="are missing"):
        Ratings.from_frame(TABLE.assign(rating=float("nan")))
    with pytest.raises(ResponsesError, match="strictly between"):
        Ratings.from_frame(TABLE).split(1.5, seed=1)


def test_what_no_rating_has_any_more_is_left_out():
    ratings = simulate_ratings(respondents=4, items=6, raters=2, seed=1, grades=3).ratings
    part = ratings.take((ratings.item > 1) & (ratings.respondent != 0)).only_used()
    assert part.items == ratings.items[2:]
    assert part.respondents == ratings.respondents[1:]
    assert part.raters == ratings.raters
    whole = ratings.frame()
    kept = whole["item"].isin(part.items) & whole["respondent"].isin(part.respondents)
    assert part.frame().equals(whole[kept].reset_index(drop=True))
    assert ratings.only_used() is ratings


def test_infinite_ratings_are_refused():
    with pytest.raises(ResponsesError, match="1 in column 'rating' are not, the first is inf"):
        Ratings.from_frame(TABLE.assign(rating=[3, 4, float("inf"), *TABLE["rating"][3:]]))


def test_ratings_beyond_ten_thousand_are_no_grades():
    table = TABLE.assign(rating=TABLE["rating"] * 1e5)
    with pytest.raises(ResponsesError, match="from -10,000 to 10,000"):
        Ratings.from_frame(table)
