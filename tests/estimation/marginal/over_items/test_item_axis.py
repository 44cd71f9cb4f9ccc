"""Axes whose nodes lie close where items are known well."""

import numpy as np
import pytest

from itemcurve.estimation.marginal.over_items.item_axis import (
    Axis,
    Spacing,
    coarseness,
    fitting_spacing,
    needed_size,
)

ENDS = (-4.5, 4.5)


def axis_for(spacing):
    return Axis.across(ENDS, spacing, needed_size(ENDS, spacing))


def test_nodes_span_the_ends_at_the_distances_that_the_spacing_states():
    axis = axis_for(Spacing(0.05, centre=0.4, width=0.3))
    nodes = axis.nodes
    assert nodes[[0, -1]] == pytest.approx(ENDS)
    np.testing.assert_allclose(axis.widths[1:-1], (nodes[2:] - nodes[:-2]) / 2, rtol=0.01)
    np.testing.assert_allclose(axis.at(np.array([3.0, 7.0])), nodes[[3, 7]])
    assert np.diff(nodes).min() == pytest.approx(0.05, rel=0.05)


def test_an_even_axis_is_even():
    np.testing.assert_allclose(axis_for(Spacing(0.25)).nodes, np.linspace(*ENDS, 37), atol=1e-8)


def test_normal_functions_narrow_in_the_middle_and_wide_outside_are_integrated_alike():
    axis = axis_for(Spacing(0.03, centre=0.0, width=0.25))
    for mean, sd in ((0.0, 0.05), (0.4, 0.08), (-2.0, 0.4), (1.5, 0.5)):
        density = np.exp(-0.5 * ((axis.nodes - mean) / sd) ** 2) / sd / np.sqrt(2 * np.pi)
        assert axis.widths @ density == pytest.approx(1.0, abs=1e-7)


def test_few_nodes_resolve_posteriors_that_widen_outwards():
    rng = np.random.default_rng(0)
    means = rng.normal(0.3, 1.0, 800)
    sds = 0.06 * np.hypot(1.0, (means - 0.3) / 0.2)
    coarse = axis_for(Spacing(0.2))
    axis = axis_for(fitting_spacing(means, sds, coarse, ENDS))
    even = (ENDS[1] - ENDS[0]) / (0.6 * np.quantile(sds, 0.05))
    assert axis.size < even / 2
    assert coarseness(means, sds, axis, axis) <= 1.0001
    assert coarseness(means, sds, coarse, coarse) > 3


def test_a_posterior_on_a_single_node_asks_for_a_finer_axis_but_not_for_any():
    coarse = axis_for(Spacing(0.4))
    means = np.linspace(-1.0, 1.0, 50)
    spacing = fitting_spacing(means, np.zeros(50), coarse, ENDS)
    assert coarseness(means, np.zeros(50), coarse, coarse) > 5
    assert 0.03 < spacing.at(means).min() < 0.1
