"""Every claim of a paper has both rules, and every study judges by both."""

import re
from importlib import import_module

import pytest

from itemcurve_studies.study.rules import SAME

COUNTS = {
    "adaptive": ("A", 13),
    "beta3": ("B", 17),
    "confusion": ("C", 17),
    "gamma": ("G", 20),
    "robustness": ("R", 19),
}


@pytest.mark.parametrize("study", COUNTS)
def test_every_claim_has_both_rules(study):
    letter, count = COUNTS[study]
    rules = import_module(f"itemcurve_studies.{study}.rules").RULES
    numbers = {int(re.match(r"[A-Z](\d+)", name)[1]) for name in rules}
    assert numbers == set(range(1, count + 1))
    assert all(name.startswith(letter) for name in rules)
    for name, rule in rules.items():
        assert rule.ours.endswith("."), name
        assert rule.paper == SAME or rule.paper.endswith("."), name
        # By the paper's own rule the interval comes with the verdict.
        assert rule.spread or rule.paper != SAME, name
