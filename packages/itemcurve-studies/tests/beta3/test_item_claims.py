"""Verdicts on claims: items, abilities and students together."""

from itemcurve_studies.beta3.ability_claims import list_ability_claims
from itemcurve_studies.beta3.item_claims import list_item_claims
from itemcurve_studies.beta3.students.claims import NAMES, list_student_claims


def test_claims_that_are_true_by_construction_hold(raw):
    claims = [*list_item_claims(raw), *list_ability_claims(raw)]
    verdicts = {claim.claim: claim.verdict for claim in claims}
    for name in ("B1", "B2", "B7", "B8", "B9", "B10", "B11", "B12", "B17"):
        assert verdicts[name] == "holds", name
    # The highest ability has the highest average response here.
    assert verdicts["B16"] == "holds in part"


def test_claims_without_data_cannot_be_tested(raw):
    small = {name: raw[name][raw[name]["data"] != "mnist"] for name in ("items", "respondents")}
    claims = [*list_item_claims(small), *list_ability_claims(small), *list_student_claims(small)]
    untested = {claim.claim for claim in claims if claim.verdict == "cannot be tested"}
    assert untested == {*NAMES, *(f"B{n}" for n in (9, 10, 11, 12, 13, 14, 15))}
    assert all(claim.cause for claim in claims if claim.claim in untested)
