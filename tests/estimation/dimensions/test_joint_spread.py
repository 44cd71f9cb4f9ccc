"""Covariances of both sides, against the inverse of the whole curvature by differences."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.estimation.dimensions.fit_dimensions import _settle
from itemcurve.estimation.dimensions.joint_spread import APART, JOINT, find_spread
from itemcurve.estimation.dimensions.loading_pattern import read_pattern
from itemcurve.estimation.optimisation.iterate import UNWATCHED


def settled(respondents, items, seed=1):
    responses = ic.simulate("2pl", respondents=respondents, items=items, seed=seed).responses
    pattern = read_pattern(responses.items, {"a": list(responses.items)})
    climb, optimum = _settle(responses, ic.get_model("2pl"), pattern, 0.02, UNWATCHED)
    return climb, optimum.point


@pytest.mark.parametrize("shape", [(12, 30), (30, 12)])
def test_blocks_are_those_of_the_whole_inverse(shape):
    climb, point = settled(*shape)
    found = find_spread(climb, point)
    assert found.kind == JOINT
    count, items = shape
    mean, own = point.respondents.mean, point.items.mean
    moments = climb.cells.expect(*_predictors(point), own[:, 2:])
    size = count + 2 * items
    whole = np.zeros((size, size))
    whole[:count, :count] = np.diag(1 + (moments.information * own[:, :1] ** 2).sum(axis=0))
    for item in range(items):
        design = np.column_stack([mean[:, 0], np.ones(count)])
        square = (design * moments.information[item][:, None]).T @ design + point.prior.precision
        place = slice(count + 2 * item, count + 2 * item + 2)
        whole[place, place] = square
        cross = own[item, 0] * moments.information[item][:, None] * design
        cross[:, 0] -= moments.score[item]
        whole[:count, place], whole[place, :count] = cross, cross.T
    inverse = np.linalg.inv(_without_common(whole, point, count))
    errors = np.diagonal(found.respondents, axis1=1, axis2=2).ravel()
    if count < items:
        assert np.allclose(errors, np.diag(inverse)[:count], rtol=0.02)
    else:
        own_errors = np.diagonal(found.items, axis1=1, axis2=2).ravel()
        # Intercepts are told from the mean ability of the sample.
        told = np.eye(size)[count:]
        told[1::2, :count] = own[:, :1] / count
        assert np.allclose(own_errors, np.diag(told @ inverse @ told.T), rtol=0.02)


def _predictors(point):
    from itemcurve.estimation.dimensions.normal_sides import predictors

    return predictors(point.respondents, point.items)


def _without_common(whole, point, count):
    """Whole curvature with unit, and origin of abilities, held by a large penalty."""
    items = len(point.items.mean)
    moves = np.zeros((2, len(whole)))
    if count < 2 * items:
        moves[0, :count], moves[1, :count] = 1.0, point.respondents.mean[:, 0]
    else:
        moves = moves[:1]
        moves[0, count::2] = point.items.mean[:, 0]
    basis = np.linalg.qr(moves.T)[0]
    return whole + 1e7 * basis @ basis.T


def test_of_many_coordinates_each_side_is_taken_apart(monkeypatch):
    from itemcurve.estimation.dimensions import joint_spread

    climb, point = settled(12, 30)
    monkeypatch.setattr(joint_spread, "_MOST_COORDINATES", 5)
    assert find_spread(climb, point).kind == APART
