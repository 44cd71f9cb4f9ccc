"""Tables as any classifier can take them."""

import numpy as np

from itemcurve_studies.dataset_table.source_tables import read_table, read_tables, split_table


def test_halves_are_even_within_classes_and_standardised(data_folder):
    halves = split_table(read_table(data_folder / "pmlb" / "large.csv.gz"), seed=1)
    assert np.bincount(halves.train_classes).tolist() == [15, 15, 15]
    assert np.bincount(halves.test_classes).tolist() == [15, 15, 15]
    assert np.isfinite(halves.test).all()
    np.testing.assert_allclose(halves.train.mean(axis=0), 0, atol=1e-12)


def test_a_class_too_rare_for_both_halves_is_left_out(data_folder):
    tables = read_tables(data_folder)
    assert [table.name for table in tables] == ["small", "large"]
    assert [int(table.classes.max()) for table in tables] == [2, 2]


def test_the_largest_are_chosen_by_the_rows_of_their_files(data_folder):
    tables = read_tables(data_folder, most_rows=30, largest=1)
    assert [table.name for table in tables] == ["large"]
    assert tables[0].rows == 91
    assert len(tables[0].classes) == 30
