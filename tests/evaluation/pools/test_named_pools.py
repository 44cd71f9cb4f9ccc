"""Pools by name, and members by theirs."""

import pytest

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.pools.named_pools import choose_pool


def test_members_are_chosen_by_name_whatever_the_case():
    found = choose_pool("random forest; Support vectors, RBF;naive bayes", "classification", 0)
    assert found.names == ("Random forest", "Support vectors, RBF", "Naive Bayes")
    assert choose_pool("Bayesian ridge", "regression", 0).names == ("Bayesian ridge",)


@pytest.mark.parametrize(
    ("name", "task", "said"),
    [
        ("random forst", "classification", "Did you mean 'Random forest'"),
        ("random:many", "classification", "The pool must be"),
        ("families", "regression", "Members are Linear regression"),
        (" ; ", "classification", "given is ' ; '"),
    ],
)
def test_other_names_are_refused_with_the_nearest(name, task, said):
    with pytest.raises(EvaluationError, match=said):
        choose_pool(name, task, 0)
