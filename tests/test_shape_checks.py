"""The checks of shapes themselves: what they refuse, what they say, what they let pass."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np
import pytest
from tests.shape_checks import ShapeError, check_class, checked

from itemcurve.families.bernoulli import Bernoulli
from itemcurve.models.catalogue import get_model
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.shapes import (
    Abilities,
    Curve,
    CurveSlope,
    ItemValues,
    PerItem,
    SameShape,
    axes,
)


@checked
def curve(abilities: Abilities, values: ItemValues) -> Curve:
    return values[:, :1] * abilities.reshape(len(abilities), -1)[:, 0]


def test_right_shapes_pass_untouched():
    found = curve(np.zeros(4), np.ones((3, 2)))
    assert found.shape == (3, 4)
    assert curve(abilities=np.zeros((4, 2)), values=np.ones((3, 2))).shape == (3, 4)


def test_a_wrong_shape_is_refused_with_function_argument_expected_and_given():
    with pytest.raises(ShapeError) as caught:
        curve(np.zeros(4), np.ones(3))
    assert str(caught.value) == (
        "tests.test_shape_checks.curve: values must be items × parameters, got (3,); points = 4"
    )


def test_a_wrong_result_is_refused():
    @checked
    def swapped(values: ItemValues, points: Annotated[Array, axes("points")]) -> Curve:
        return points[:, None] * values[:, 0]

    with pytest.raises(ShapeError, match=r"result must be items × points, got \(5, 3\); items = 3"):
        swapped(np.ones((3, 2)), np.zeros(5))


def test_arguments_must_agree_with_each_other():
    @checked
    def added(first: SameShape, others: Sequence[SameShape]) -> SameShape:
        return first + sum(others)

    assert added(np.ones((2, 3)), [np.ones((2, 3))]).shape == (2, 3)
    with pytest.raises(ShapeError, match=r"others\[1\] must be \*shape, got \(3, 2\)"):
        added(np.ones((2, 3)), [np.ones((2, 3)), np.ones((3, 2))])


def test_an_axis_may_have_length_one_where_it_is_said():
    @checked
    def slope(values: ItemValues, own: CurveSlope) -> None: ...

    slope(np.ones((3, 2)), np.ones((1, 7)))
    slope(np.ones((3, 2)), np.ones((3, 1)))
    with pytest.raises(ShapeError):
        slope(np.ones((3, 2)), np.ones((2, 7)))


def test_entries_of_tuples_mappings_and_options_are_checked():
    @checked
    def report(values: ItemValues, free: ItemValues | None) -> tuple[Mapping[str, PerItem], float]:
        return {"slope": values[0]}, 1.0

    with pytest.raises(ShapeError, match=r"result\[0\]\['slope'\] must be items, got \(2,\)"):
        report(np.ones((3, 2)), None)
    with pytest.raises(ShapeError, match="free must be"):
        report(np.ones((3, 2)), np.ones((4, 2)))


def test_fields_of_dataclasses_and_named_tuples_are_checked():
    @dataclass(frozen=True)
    class Table:
        values: ItemValues
        place: PerItem

    class Pair(NamedTuple):
        values: ItemValues
        place: PerItem

    for kind in (Table, Pair):
        check_class(kind)
        kind(np.ones((3, 2)), np.ones(3))
        with pytest.raises(ShapeError, match=rf"{kind.__name__}: place must be items, got \(2,\)"):
            kind(np.ones((3, 2)), np.ones(2))


def test_sparse_matrices_and_compiled_code_are_checked():
    jax = pytest.importorskip("jax")
    from scipy.sparse import csr_array

    with pytest.raises(ShapeError):
        curve(np.zeros(4), csr_array((3, 4))[0])
    compiled = jax.jit(curve)
    assert compiled(np.zeros(4), np.ones((3, 2))).shape == (3, 4)
    with pytest.raises(ShapeError, match="values must be"):
        compiled(np.zeros(4), np.ones(3))


def test_the_package_is_checked_while_tests_run():
    likelihood = Likelihood(get_model("2pl"))
    with pytest.raises(ShapeError, match=r"Likelihood\.curves: values must be items × parameters"):
        likelihood.curves(NUMPY, np.zeros(3), np.ones(2))
    with pytest.raises(ShapeError, match=r"Bernoulli\.log_partition"):
        Bernoulli().log_partition(NUMPY, [np.ones(2), np.ones(3)])
