"""Run catsim on a bank of known items; a program of its own, because it needs its own packages.

Arguments: an npz file with `bank` (a, b, c, d), `abilities`, and the length of a test. Prints
processor seconds and root mean squared error.
"""

import sys
from time import process_time

import numpy as np


def main() -> None:
    """Simulate all examinees by maximum information and numerical search."""
    from catsim.estimation import NumericalSearchEstimator
    from catsim.initialization import FixedPointInitializer
    from catsim.item_bank import ItemBank
    from catsim.selection import MaxInfoSelector
    from catsim.simulation import Simulator
    from catsim.stopping import TestLengthStopper

    with np.load(sys.argv[1]) as arrays:
        bank, abilities = arrays["bank"], arrays["abilities"]
    simulator = Simulator(
        ItemBank(bank),
        abilities,
        FixedPointInitializer(0.0),
        MaxInfoSelector(),
        NumericalSearchEstimator(),
        TestLengthStopper(max_items=int(sys.argv[2])),
        seed=1,
    )
    started = process_time()
    simulator.simulate()
    seconds = process_time() - started
    found = np.array([estimates[-1] for estimates in simulator.estimations])
    print(seconds, float(np.sqrt(np.mean((found - abilities) ** 2))))


if __name__ == "__main__":
    main()
