"""Which models and items play which part."""

from itemcurve_studies.llm.matrices import read_matrices, split


def test_items_that_some_model_did_not_answer_are_left_out(folder):
    assert {matrix.shape for matrix in read_matrices(folder).values()} == {(24, 89)}


def test_better_models_are_better_than_all_calibrated_ones(folder):
    matrix = read_matrices(folder)["toy1"]
    sources, targets, asked = split(matrix, "better", 0)
    assert matrix[sources].mean(axis=1).max() <= matrix[targets].mean(axis=1).min()
    assert len(set(asked)) == 50
    sources, targets, _ = split(matrix, "random", 0)
    assert (len(sources), len(targets)) == (18, 6)
    assert not set(sources) & set(targets)
