"""Pools from one's own code."""

import pytest

import itemcurve as ic
from itemcurve.errors import EvaluationError
from itemcurve.evaluation.pools.code_pools import load_pool

CODE = """
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

one = GaussianNB()
both = {"bayes": GaussianNB(), "near": KNeighborsClassifier()}

def make():
    return [GaussianNB(), KNeighborsClassifier(3)]
"""


@pytest.fixture(name="code")
def own_code(tmp_path):
    path = tmp_path / "own_models_of_a_test.py"
    path.write_text(CODE)
    return path


def test_estimators_dicts_and_functions_are_pools(code):
    assert load_pool(f"{code}:one").names == ("GaussianNB",)
    assert load_pool(f"{code}:both").names == ("bayes", "near")
    assert load_pool(f"{code}:make").names == ("GaussianNB", "KNeighborsClassifier")
    assert len(load_pool("itemcurve.pools:standard_classifiers")) == 12


def test_a_table_is_evaluated_by_ones_own_models(code):
    found = ic.evaluate_table("iris", pool=f"{code}:both", cv=3)
    assert found.responses.respondents == ("bayes", "near")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nowhere.py:pool", "no file 'nowhere.py'"),
        ("no_such_package:pool", "cannot be imported|cannot: No module"),
        ("{code}:three", "has no 'three'. It has: .*both"),
    ],
)
def test_code_that_is_not_there_is_told(code, name, said):
    with pytest.raises(EvaluationError, match=said):
        load_pool(name.format(code=code))
