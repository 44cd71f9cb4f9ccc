"""Identities of the model."""

from itemcurve_studies.gamma.model_claims import judge_model


def test_the_identities_of_the_model_hold():
    assert {claim.verdict for claim in judge_model()} == {"holds"}
