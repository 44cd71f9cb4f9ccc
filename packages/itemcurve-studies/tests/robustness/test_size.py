"""How much is run, in words."""

from itemcurve_studies.robustness.size import choose_size


def test_the_size_of_the_study_is_said_in_words():
    assert choose_size(0, 20, quick=False).describe() == (
        "all rows of each data set, difficulty from 200 classifiers"
    )
    assert choose_size(None, None, quick=True).describe() == (
        "at most 1,000 rows of each data set (500 of wide ones), difficulty from 27 classifiers"
    )
