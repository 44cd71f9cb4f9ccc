"""The log-likelihood with abilities integrated out, against a dense sum and differences."""

import numpy as np
import pytest
from scipy.special import logsumexp

import itemcurve as ic
from itemcurve.estimation.dimensions.adaptive_nodes import Nodes
from itemcurve.estimation.dimensions.bifactor_surface import BifactorSurface
from itemcurve.estimation.dimensions.composite_cells import CompositeCells
from itemcurve.estimation.dimensions.correlations.correlation_angles import (
    angles_of,
    correlation_at,
)
from itemcurve.estimation.dimensions.loading_pattern import read_pattern
from itemcurve.estimation.dimensions.marginal_surface import MarginalSurface
from itemcurve.estimation.dimensions.normal_sides import Normals

RESPONDENTS, ITEMS = 25, 6


def problem(model="2pl", general=False):
    rng = np.random.default_rng(3)
    drawn = ic.simulate(model, respondents=RESPONDENTS, items=ITEMS, seed=2, missing=0.1)
    names = drawn.responses.items
    groups = {"a": list(names[:3]), "b": list(names[3:])}
    pattern = read_pattern(names, groups, general=general)
    chosen = ic.get_model(model)
    if model == "grm":
        chosen = chosen.with_categories(range(5))
    cells = CompositeCells.of(drawn.responses, chosen)
    slopes = np.where(pattern.free, rng.uniform(0.7, 1.5, pattern.free.shape), 0.0)
    items = np.column_stack([slopes, rng.normal(size=ITEMS), cells.start])
    size = pattern.size
    start = Normals(np.zeros((RESPONDENTS, size)), np.tile(np.eye(size), (RESPONDENTS, 1, 1)))
    return cells, pattern, items, start


def surface_of(model="2pl", general=False):
    cells, pattern, items, start = problem(model, general)
    correlation = np.eye(pattern.size)
    if general:
        surface = BifactorSurface.placed(cells, pattern, start, 25)
    else:
        surface = MarginalSurface(cells, pattern, Nodes.around(start, 25))
        correlation[0, 1] = correlation[1, 0] = 0.4
    return surface, items, correlation


def dense_sum(cells, pattern, items, correlation):
    """The same by a lattice over all abilities."""
    axis = np.linspace(-7, 7, 41)
    nodes = np.array(np.meshgrid(*[axis] * pattern.size, indexing="ij")).reshape(pattern.size, -1).T
    precision = np.linalg.inv(correlation)
    prior = -0.5 * np.einsum("qk,kl,ql->q", nodes, precision, nodes)
    prior -= logsumexp(prior)
    width = pattern.size + 1
    total = 0.0
    for respondent in range(RESPONDENTS):
        own = cells.of_columns(slice(respondent, respondent + 1))
        predictor = items[:, :width] @ np.column_stack([nodes, np.ones(len(nodes))]).T
        channels = [np.repeat(c, len(nodes), axis=1) for c in own.channels]
        repeated = type(own)(own.likelihood, own.held, channels, own.start, own.log_base)
        heights = repeated.at(predictor, items[:, width:]).log_likelihood.sum(axis=0)
        total += logsumexp(heights + prior)
    return total + cells.base


@pytest.mark.parametrize(("model", "general"), [("2pl", False), ("grm", False), ("2pl", True)])
def test_it_is_the_sum_over_a_dense_lattice(model, general):
    surface, items, correlation = surface_of(model, general)
    found = surface.at(items, correlation).log_likelihood
    dense = dense_sum(surface.cells, surface.pattern, items, correlation)
    assert found == pytest.approx(dense, abs=2e-4)


@pytest.mark.parametrize(("model", "general"), [("2pl", False), ("grm", False), ("2pl", True)])
def test_its_gradient_is_that_of_differences(model, general):
    surface, items, correlation = surface_of(model, general)
    gradient = surface.at(items, correlation).item_gradient
    free = np.column_stack(
        [surface.pattern.free, np.ones((ITEMS, items.shape[1] - surface.pattern.size), dtype=bool)]
    )
    step = 1e-5
    for item, place in np.argwhere(free)[::3]:
        move = np.zeros_like(items)
        move[item, place] = step
        ends = [surface.at(items + sign * move, correlation).log_likelihood for sign in (1, -1)]
        assert gradient[item, place] == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-5)


@pytest.mark.parametrize("general", [False, True])
def test_observed_information_is_that_of_differences_of_the_gradient(general):
    surface, items, correlation = surface_of("2pl", general)
    information = surface.information(items, correlation)
    step = 1e-4
    for item, place in [(0, 0), (1, items.shape[1] - 1), (4, 1)]:
        move = np.zeros_like(items)
        move[item, place] = step
        ends = [surface.at(items + sign * move, correlation).item_gradient for sign in (1, -1)]
        row = -(ends[0] - ends[1]).ravel() / (2 * step)
        found = information[item * items.shape[1] + place, : items.size]
        assert np.allclose(found, row, atol=2e-5)


def test_information_of_correlations_is_that_of_differences():
    surface, items, correlation = surface_of()
    angles = angles_of(correlation)
    step = 1e-3
    heights = [
        surface.at(items, correlation_at(angles + move, 2)).log_likelihood
        for move in (step, 0.0, -step)
    ]
    bend = -(heights[0] - 2 * heights[1] + heights[2]) / step**2
    assert surface.information(items, correlation)[-1, -1] == pytest.approx(bend, rel=1e-3)


def test_drawn_nodes_integrate_too():
    cells, pattern, items, start = problem()
    exact = MarginalSurface(cells, pattern, Nodes.around(start, 25))
    drawn = MarginalSurface(cells, pattern, Nodes.drawn(start, 4000, np.random.default_rng(0)))
    heights = [own.at(items, np.eye(2)).log_likelihood for own in (exact, drawn)]
    assert heights[0] == pytest.approx(heights[1], abs=0.5)
