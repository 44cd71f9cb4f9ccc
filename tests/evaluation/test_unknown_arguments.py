"""Arguments that nobody knows are refused at once, with the nearest name."""

import pytest

import itemcurve as ic
from itemcurve.errors import EvaluationError


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("n_job", "Did you mean n_jobs"),
        ("random_state", "called seed here"),
        ("verbose", "called progress here"),
        ("scoring", "the usual metrics"),
        ("sample_weights", "Did you mean sample_weight"),
        ("report", "writes the page"),
        ("test_size", "test_share"),
        ("discriminaton", "Did you mean discrimination"),
        ("colour", "It takes estimators, X_train"),
    ],
)
def test_an_unknown_argument_is_refused_before_anything_is_trained(moons, name, said):
    class Untouchable:
        def fit(self, X, y):
            raise KeyboardInterrupt("trained")

        def predict(self, X):
            return X

    with pytest.raises(EvaluationError, match=said) as caught:
        ic.evaluate_classifiers([Untouchable(), Untouchable()], *moons, **{name: 1})
    assert repr(name) in str(caught.value)


def test_tables_and_predictions_know_their_own_names():
    with pytest.raises(EvaluationError, match=r"evaluate_table must.*Did you mean test_share"):
        ic.evaluate_table("iris", test_shares=0.2)
    with pytest.raises(EvaluationError, match=r"from_predictions must.*Did you mean classes"):
        ic.from_predictions({"a": [0, 1]}, [0, 1], classses=[0, 1])


def test_arguments_of_fit_still_pass(moons, few):
    found = ic.evaluate_classifiers(few, *moons, prior=None, on_failure="ignore")
    assert found.fit.settings["method"] == "marginal"
