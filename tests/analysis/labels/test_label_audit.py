"""Labels of classes that nobody ever names."""

import numpy as np

import itemcurve as ic


def answers(seed: int = 0) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray]:
    """Five models that know two classes and never name a rare third; ten labels are flipped."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, 400)
    rare = np.arange(12)
    models = {}
    for name in "abcde":
        sure = np.where(rng.random(400) < 0.01, 1 - labels, labels)
        shares = np.full((400, 3), 0.01)
        shares[np.arange(400), sure] = 0.98
        models[name] = shares
    given = labels.copy()
    given[rare] = 2
    flipped = np.arange(100, 110)
    given[flipped] = 1 - given[flipped]
    return models, given, flipped


def test_a_class_that_is_never_named_is_not_blamed():
    models, given, flipped = answers()
    audit = ic.audit_labels(models, given, noise_check=False, false_discovery_rate=0.3)
    found = np.flatnonzero(audit.is_suspect)
    assert not (given[found] == 2).any()
    assert np.isin(flipped, found).all()
    assert audit.unjudged == ("2",)
    assert "Class '2' is hardly ever predicted" in audit.say()
