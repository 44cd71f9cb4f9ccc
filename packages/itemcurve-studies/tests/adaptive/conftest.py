"""A small part of the shipped table."""

from dataclasses import replace

import pytest

from itemcurve.datasets.dataset_table import load_dataset_table


@pytest.fixture(scope="module")
def small_table():
    table = load_dataset_table()
    kept = slice(0, 60)
    return replace(
        table,
        datasets=table.datasets[kept],
        shapes=table.shapes[kept],
        values=table.values[:, :, kept],
        seconds=table.seconds[:, kept],
    )
