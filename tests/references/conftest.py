"""Item banks of other packages."""

import numpy as np
import pytest

from itemcurve.bank.item_bank import Bank


@pytest.fixture
def catr_bank(shared_data) -> Bank:
    """The 85 items of catR's `tcals`, named by their number."""
    path = shared_data / "reference" / "catR_tcals.csv"
    table = np.genfromtxt(path, delimiter=",", skip_header=1, usecols=(1, 2, 3, 4))
    return Bank.from_parameters(
        "3pl",
        items=[str(number) for number in range(1, len(table) + 1)],
        discrimination=table[:, 0],
        difficulty=table[:, 1],
        guessing=table[:, 2],
    )
