"""A leaderboard as people read it."""

import itemcurve as ic


def test_it_fits_eighty_columns_and_shows_what_matters(moons):
    board = ic.evaluate_classifiers(ic.pools.standard_classifiers(), *moons).leaderboard()
    table = board.brief()
    assert max(map(len, table.to_string(index=False).splitlines())) <= 80
    assert list(table.columns[:5]) == ["rank", "respondent", "tier", "skill", "90 % interval"]
    assert table["respondent"].tolist()[: len(board.respondents)] == list(board.respondents)
    # References follow, without a rank.
    assert table["rank"].tolist()[-1] == ""


def test_regressors_and_plain_fits_have_one_too():
    y = [1.0, 2.0, 3.0, 5.0, 8.0]
    answers = {"a": [1.1, 2.2, 2.9, 5.5, 7.0], "b": [2.0, 2.0, 4.0, 4.0, 9.0]}
    table = ic.from_predictions(answers, y, task="regression").leaderboard().brief()
    assert {"MAE", "R²"} <= set(table.columns)
    fit = ic.fit(ic.simulate("2pl", respondents=30, items=10, seed=1).responses)
    assert "ability" in ic.build_leaderboard(fit).brief().columns
