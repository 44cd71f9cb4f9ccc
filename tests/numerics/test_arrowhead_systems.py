"""Arrow systems against the same matrices written out in full."""

import numpy as np
import pytest

from itemcurve.numerics.arrowhead_systems import ArrowheadSystem


def random_arrow(seed, blocks=5, width=2, corner=3):
    rng = np.random.default_rng(seed)
    size = blocks * width + corner
    full = np.zeros((size, size))
    # A sum of squares that each touch one block and the corner keeps the shape.
    for index in range(blocks):
        touched = [*range(index * width, (index + 1) * width), *range(blocks * width, size)]
        part = rng.normal(size=(len(touched), len(touched) + 2))
        full[np.ix_(touched, touched)] += part @ part.T
    inner = full[: blocks * width, : blocks * width].reshape(blocks, width, blocks, width)
    index = np.arange(blocks)
    cross = full[: blocks * width, blocks * width :].reshape(blocks, width, corner)
    return full, ArrowheadSystem(
        inner[index, :, index, :], cross, full[blocks * width :, blocks * width :]
    )


@pytest.fixture
def case():
    return random_arrow(1)


def diagonal_blocks(matrix, blocks=5, width=2):
    size = blocks * width
    inner = matrix[:size, :size].reshape(blocks, width, blocks, width)
    return inner[np.arange(blocks), :, np.arange(blocks), :]


def test_it_solves_the_system_written_out(case):
    full, arrow = case
    right = np.random.default_rng(2).normal(size=len(full))
    blocks, corner = arrow.solve(right[:10].reshape(5, 2), right[10:])
    np.testing.assert_allclose(
        np.concatenate([blocks.ravel(), corner]), np.linalg.solve(full, right), rtol=1e-9
    )


def test_it_gives_the_diagonal_blocks_of_the_inverse(case):
    full, arrow = case
    inverse = np.linalg.inv(full)
    np.testing.assert_allclose(arrow.inverse_blocks(), diagonal_blocks(inverse), rtol=1e-9)
    np.testing.assert_allclose(arrow.inverse_corner(), inverse[10:, 10:], rtol=1e-9)


def test_it_gives_the_diagonal_blocks_of_a_sandwich(case):
    full, arrow = case
    other, middle = random_arrow(3)
    inverse = np.linalg.inv(full)
    expected = inverse @ other @ inverse
    blocks, corner = arrow.sandwich(middle)
    np.testing.assert_allclose(blocks, diagonal_blocks(expected), rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(corner, expected[10:, 10:], rtol=1e-8, atol=1e-10)


def test_a_direction_downwards_is_given_where_there_is_one(case):
    _, arrow = case
    assert arrow.downward() is None
    blocks, corner = arrow.blocks.copy(), arrow.corner.copy()
    blocks[3] -= 2 * np.eye(2) * np.linalg.eigvalsh(blocks[3])[1]
    _goes_down(ArrowheadSystem(blocks, arrow.cross, arrow.corner))
    corner -= 1.1 * np.eye(3) * np.linalg.eigvalsh(corner)[0]
    _goes_down(ArrowheadSystem(arrow.blocks, arrow.cross, corner))


def _goes_down(arrow):
    blocks, corner = arrow.downward()
    height = np.einsum("nv,nvw,nw->", blocks, arrow.blocks, blocks) + corner @ arrow.corner @ corner
    assert height + 2 * np.einsum("nw,nwm,m->", blocks, arrow.cross, corner) < 0
