"""Claims with verdicts."""

from itemcurve_studies.study.claims import Claim, claims_frame, judge


def test_claims_become_rows_in_order():
    claims = [Claim("C1", "it is so", "1", "2", judge(True)), Claim("C2", "", "", "", judge(False))]
    assert claims_frame(claims)["verdict"].tolist() == ["holds", "does not hold"]
