"""Second verdicts from rows in which every claim is true by construction."""

from types import SimpleNamespace

from itemcurve_studies.beta3.fresh_draws import WAY
from itemcurve_studies.beta3.paper_claims import judge_by_paper
from itemcurve_studies.beta3.rules import RULES
from itemcurve_studies.study.rules import SAME


def study(raw, names):
    own = {name: raw[name][raw[name]["way"] == "published"] for name in ("items", "respondents")}
    kept = {
        f"fresh_{name}": table[table["data"].isin(names)].assign(way=WAY)
        for name, table in own.items()
    }
    return SimpleNamespace(raw=kept)


def test_every_claim_on_classifiers_that_has_a_rule_of_its_own_is_judged(raw):
    found = judge_by_paper(study(raw, ("moons", "clusters", "mnist")))
    judged = {each.claim for each in found}
    expected = {name for name, rule in RULES.items() if rule.paper != SAME}
    assert judged == {name for name in expected if int(name.split()[0][1:]) > 6}
    verdicts = {each.claim: each.verdict for each in found}
    assert verdicts["B7"] == verdicts["B9"] == verdicts["B11"] == "holds"
    assert all(each.interval for each in found)


def test_without_images_the_drawn_data_are_judged(raw):
    found = judge_by_paper(study(raw, ("moons", "clusters")))
    assert {each.claim for each in found} == {"B7", "B8"}
    assert judge_by_paper(SimpleNamespace(raw={})) == []
