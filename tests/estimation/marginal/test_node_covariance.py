import numpy as np

from itemcurve.estimation.marginal.node_covariance import exact_covariance, is_cheap

UNITS, ENTITIES, NODES = 7, 4, 30
RNG = np.random.default_rng(0)


def example():
    """Channels, shares of the nodes (a few of them none), slopes, and slopes of a state."""
    block = tuple(RNG.normal(size=(UNITS, ENTITIES)) for _ in range(2))
    shares = RNG.random((UNITS, NODES)) * (RNG.random((UNITS, NODES)) < 0.5)
    shares /= shares.sum(axis=1, keepdims=True)
    slopes = [RNG.normal(size=(ENTITIES, NODES)) for _ in range(3)]
    return (*block, None), shares, slopes, RNG.normal(size=(1, 2, NODES))


def test_it_is_the_covariance_at_the_nodes_summed_over_units():
    block, shares, slopes, state = example()
    expected = np.zeros((ENTITIES + 2, ENTITIES + 2))
    for unit in range(UNITS):
        channels = [1.0 if c is None else c[unit][:, None] for c in block]
        scores = sum(c * s for c, s in zip(channels, slopes, strict=True))
        every = np.concatenate([scores, state[0]])
        expected += np.cov(every, aweights=shares[unit], ddof=0)
    np.testing.assert_allclose(exact_covariance(block, shares, slopes, state), expected)


def test_units_on_all_of_many_nodes_are_left_to_functions():
    everywhere = np.full((UNITS, 5_000), 1 / 5_000)
    narrow = np.eye(UNITS, 5_000)
    assert is_cheap(narrow, entities=100, channels=5, functions=6)
    assert not is_cheap(everywhere, entities=100, channels=2, functions=6)
