from itemcurve_studies.study.claims import Claim, claims_frame, claims_text
from itemcurve_studies.study.rules import Rule
from itemcurve_studies.study.second_verdicts import SecondVerdict, add_second

CLAIMS = claims_frame(
    [
        Claim("C1", "it is so", "1", "2", "holds", is_headline=True),
        Claim("C2", "it is not", "1", "2", "does not hold", "a cause"),
        Claim("C3", "it may be", "", "", "cannot be tested"),
        Claim("C4", "it will be", "", "", "holds"),
    ]
)
RULES = {
    "C1": Rule("ours"),
    "C2": Rule("ours", "theirs"),
    "C3": Rule("ours", "theirs"),
    "C4": Rule("ours", "theirs"),
}


def test_a_second_verdict_is_the_first_one_its_own_or_missing():
    second = SecondVerdict("C2", "3", "holds in part", "2 to 4")
    found = add_second(CLAIMS, RULES, [second])
    assert found["paper_verdict"].tolist() == [
        "holds",
        "holds in part",
        "cannot be tested",
        "not run",
    ]
    assert found["interval"].tolist() == ["", "2 to 4", "", ""]
    assert found["rule"].tolist() == ["ours"] * 4
    assert found["verdict"].tolist() == CLAIMS["verdict"].tolist()


def test_both_verdicts_stand_side_by_side_in_the_text():
    second = SecondVerdict("C2", "3", "holds in part", "2 to 4")
    lines = claims_text(add_second(CLAIMS, RULES, [second])).splitlines()
    assert lines[0].count("|") == lines[3].count("|") == 8
    assert lines[2].startswith("| C1 ★ |")
    assert lines[3].endswith("**does not hold** | **holds in part**: 3 | 2 to 4 |")


def test_the_cause_of_a_second_verdict_stands_after_that_of_the_first():
    second = [
        SecondVerdict("C1", "3", "holds in part", cause="another"),
        SecondVerdict("C2", "3", "holds in part", cause="another"),
    ]
    found = add_second(CLAIMS, RULES, second)
    assert found["cause"].tolist() == ["another", "a cause another", "", ""]
