"""Two runs with known changes, as logs of a harness."""

import numpy as np
import pytest
from tests.logs.examples import lm_eval_results, lm_eval_run, lm_eval_sample


@pytest.fixture
def write_run(tmp_path):
    """Write logs of lm-evaluation-harness; None stands for a sample without a score."""

    def write(folder, answers, model="model", metric="acc", questions=None):
        samples = [
            lm_eval_sample(
                number,
                question=(questions or {}).get(number, f"What is {number}?"),
                **({metric: float(value)} if value is not None else {metric: None}),
            )
            for number, value in enumerate(answers)
        ]
        for sample, value in zip(samples, answers, strict=True):
            sample["resps"] = [[f"I say {value}"]]
            sample["filtered_resps"] = [f"said {value}"]
        lm_eval_run(tmp_path / folder, samples, lm_eval_results(model, date=1.0))
        return tmp_path / folder

    return write


@pytest.fixture
def answers():
    """Four hundred answers of the run in use."""
    return (np.random.default_rng(0).random(400) < 0.7).astype(int).tolist()
