"""What batches cost: items and rounds of adaptive tests, one by one, in full batches, and paced.

Run: python benchmarks/batch_pace.py
"""

from collections.abc import Callable

import numpy as np

import itemcurve as ic

ITEMS, BATCH = 1000, 32
ABILITIES = np.linspace(-1.5, 1.5, 25)
Next = Callable[[ic.AdaptiveTest], list[str]]
WAYS: dict[str, Next] = {
    "one by one": lambda test: test.next_batch(1),
    "batches of 32": lambda test: test.next_batch(BATCH),
    "paced, at most 32": lambda test: test.next_paced(BATCH),
}


def run(bank: ic.Bank, right: dict[str, float], se: float, seed: int, step: Next) -> list[int]:
    """Give the items and the rounds of one test."""
    test, rounds = ic.AdaptiveTest(bank, stop=ic.stopping.ability_se(se), seed=seed), 0
    while items := step(test):
        test.record_many({item: right[item] for item in items})
        rounds += 1
    return [len(test.answers), rounds]


def main() -> None:
    """Print a table."""
    rng = np.random.default_rng(0)
    difficulty, slope = rng.normal(0, 1, ITEMS), np.exp(rng.normal(0, 0.3, ITEMS))
    bank = ic.Bank.from_parameters("2pl", discrimination=slope, difficulty=difficulty)
    print("| standard error | way | items | more | rounds |\n|---|---|---|---|---|")
    for se in (0.3, 0.25, 0.2, 0.15):
        single = 0.0
        for way, step in WAYS.items():
            found = []
            for seed, ability in enumerate(ABILITIES):
                chance = 1 / (1 + np.exp(-slope * (ability - difficulty)))
                is_right = np.random.default_rng([1, seed]).random(ITEMS) < chance
                right = dict(zip(bank.items, is_right.astype(float), strict=True))
                found.append(run(bank, right, se, seed, step))
            items, rounds = np.mean(found, axis=0)
            single = single or items
            print(f"| {se} | {way} | {items:.1f} | {items / single - 1:+.1%} | {rounds:.1f} |")


if __name__ == "__main__":
    main()
