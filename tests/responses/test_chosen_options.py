"""What was chosen, beside what was right."""

import numpy as np
import pytest

from itemcurve.errors import ResponsesError, StorageError
from itemcurve.responses.chosen_options import ChosenOptions


def example():
    chosen = np.array([[0, 1], [-1, 0]], dtype=np.int32)
    return ChosenOptions(("m", "n"), ("p", "q"), ("A", "B"), chosen, ("A", "A"))


def test_chosen_options_survive_a_file_and_are_found_by_id(tmp_path):
    example().save(tmp_path / "r.options.npz")
    loaded = ChosenOptions.load(tmp_path / "r.options.npz")
    aligned = loaded.align(("n", "new"), ("q", "p", "other"))
    assert aligned.chosen.tolist() == [[0, -1, -1], [-1, -1, -1]]
    assert aligned.keys == ("A", "A", "")


def test_options_that_do_not_fit_are_refused(tmp_path):
    with pytest.raises(ResponsesError, match="must be of shape"):
        ChosenOptions(("m",), ("p", "q"), ("A",), np.zeros((2, 2), np.int32))
    with pytest.raises(ResponsesError, match="positions among the 1 options"):
        ChosenOptions(("m",), ("p",), ("A",), np.ones((1, 1), np.int32))
    np.savez(tmp_path / "other.npz", chosen=np.zeros(1))
    with pytest.raises(StorageError, match="Import the logs again"):
        ChosenOptions.load(tmp_path / "other.npz")
