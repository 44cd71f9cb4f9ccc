"""Time the JAX engine on an accelerator: python -m benchmarks.gpu [respondents items].

Fits simulated 2PL responses (int8) twice, so that the second time is free of compilation, and a
smaller matrix on both engines to compare the estimates.
"""

import sys
import time

import numpy as np

import itemcurve as ic


def simulate_bytes(respondents: int, items: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Draw 2PL responses block by block, one byte each."""
    rng = np.random.default_rng(seed)
    slopes = np.exp(0.4 * rng.normal(size=items)).astype(np.float32)
    difficulties = rng.normal(size=items).astype(np.float32)
    abilities = rng.normal(size=respondents)
    abilities = ((abilities - abilities.mean()) / abilities.std()).astype(np.float32)
    answers = np.empty((respondents, items), dtype=np.int8)
    for row in range(0, respondents, 500):
        part = abilities[row : row + 500, None]
        chance = 1.0 / (1.0 + np.exp(-slopes * (part - difficulties)))
        answers[row : row + 500] = rng.random(chance.shape, dtype=np.float32) < chance
    return answers, abilities


def main() -> None:
    respondents, items = (int(v) for v in sys.argv[1:3]) if len(sys.argv) > 2 else (10_000, 100_000)
    import jax

    print("devices:", jax.devices(), "jax", jax.__version__, flush=True)
    truth = ic.simulate("2pl", respondents=3000, items=1500, seed=1)
    plain = ic.fit(truth.responses, "2pl")
    ours = ic.fit(truth.responses, "2pl", engine="jax")
    gap = np.abs(plain.estimates.values - ours.estimates.values).max()
    print(f"largest difference between engines at 3,000 x 1,500: {gap:.2e}", flush=True)
    answers, abilities = simulate_bytes(respondents, items)
    responses = ic.Responses.from_array(answers)
    for attempt in ("with compilation", "after compilation"):
        started = time.perf_counter()
        fit = ic.fit(responses, "2pl", engine="jax")
        seconds = time.perf_counter() - started
        correlation = np.corrcoef(fit.estimates.abilities, abilities)[0, 1]
        print(
            f"{respondents:,} x {items:,} {attempt}: {seconds:.2f} s, {fit.status}, "
            f"{fit.estimates.iterations} iterations, log-likelihood {fit.log_likelihood:.1f}, "
            f"ability correlation {correlation:.5f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
