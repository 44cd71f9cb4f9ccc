import numpy as np

from itemcurve.numerics.symmetric_matrices import decompose


def test_eigenvalues_come_out_when_divide_and_conquer_gives_up(monkeypatch):
    square = np.random.default_rng(0).normal(size=(6, 6))
    matrix = square + square.T
    expected = np.linalg.eigvalsh(matrix)

    def give_up(*given):
        raise np.linalg.LinAlgError("Eigenvalues did not converge")

    monkeypatch.setattr(np.linalg, "eigh", give_up)
    values, vectors = decompose(matrix)
    np.testing.assert_allclose(values, expected)
    np.testing.assert_allclose(vectors * values @ vectors.T, matrix, atol=1e-12)
