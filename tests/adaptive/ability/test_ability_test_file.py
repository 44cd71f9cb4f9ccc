"""Sessions on disk: complete, resumable, and refused when damaged or foreign."""

import json
from hashlib import sha256

import pytest

import itemcurve as ic
from itemcurve.adaptive.selection.catalogue import RULES
from itemcurve.adaptive.selection.content_balance import ContentBalanced
from itemcurve.adaptive.selection.fisher import Fisher
from itemcurve.bank.saved_bank import former_mark, pack_bank
from itemcurve.errors import StorageError
from itemcurve.storage.chained_lines import NO_SEAL, seal_lines
from itemcurve.storage.json_documents import pack_json, pack_signed


@pytest.mark.parametrize("select", RULES)
def test_a_session_saved_after_every_step_gives_the_same_items_as_one_never_saved(
    bank, answer, select, tmp_path
):
    settings = {"exposure": ic.selection.Exposure(best=4, explore=0.2), "seed": 11}
    stop = ic.stopping.any_of(ic.stopping.max_items(15), ic.stopping.ability_se(0.1))
    whole = ic.AdaptiveTest(bank, select, stop, **settings)
    whole.next_batch(2)
    path = tmp_path / "session.json"
    parts = ic.AdaptiveTest(bank, select, stop, **settings)
    parts.next_batch(2)
    while (item := whole.next_item()) is not None:
        parts.save(path)
        parts = ic.AdaptiveTest.load(path)
        assert parts.next_item() == item
        parts.save(path)
        parts = ic.AdaptiveTest.load(path)
        for test in (whole, parts):
            test.record(item, answer(bank, item))
    assert parts.frame().equals(whole.frame())
    assert parts.ability == whole.ability
    assert parts.score == whole.score


def test_mixed_banks_and_nested_rules_survive(mixed_bank, tmp_path):
    groups = {item: item[0] for item in mixed_bank.items}
    rule = ContentBalanced(Fisher(), groups, {"q": 0.5, "s": 0.5})
    stop = ic.stopping.all_of(
        ic.stopping.ability_decided(0.5), ic.stopping.group_decided((0, 1), (1, 1))
    )
    test = ic.AdaptiveTest(mixed_bank, rule, stop, respondent="llama")
    test.record("s3", 0.25)
    test.next_batch(3)
    test.save(tmp_path / "s.json")
    back = ic.AdaptiveTest.load(tmp_path / "s.json")
    assert (back.select, back.stop, back.respondent) == (rule, stop, "llama")
    assert back.pending == test.pending
    assert back.ability == test.ability


def test_a_rule_of_ones_own_must_be_given_again(bank, tmp_path):
    def mine(bank, state):
        return bank.information(0.0)[0]

    ic.AdaptiveTest(bank, mine).save(tmp_path / "s.json")
    with pytest.raises(StorageError, match="'mine'"):
        ic.AdaptiveTest.load(tmp_path / "s.json")
    assert ic.AdaptiveTest.load(tmp_path / "s.json", select=mine).select is mine
    ic.AdaptiveTest(bank, ic.selection.InTurn((Fisher(), mine))).save(tmp_path / "turns.json")
    with pytest.raises(StorageError, match="'mine'"):
        ic.AdaptiveTest.load(tmp_path / "turns.json")


def test_another_bank_is_refused(bank, tmp_path):
    ic.AdaptiveTest(bank).save(tmp_path / "s.json")
    other = ic.Bank.from_parameters("2pl", discrimination=1, difficulty=[0, 1])
    with pytest.raises(StorageError, match="not the one that the session was begun with"):
        ic.AdaptiveTest.load(tmp_path / "s.json", bank=other)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "no json",
        "[1, 2]",
        "{}",
        '{"format": "itemcurve-session-3"}',
        '{"format": "itemcurve-session-2"}',
        '{"format": "itemcurve-session-2"}\n',
        '{"format": "itemcurve-session-1"}',
        '{"format": "itemcurve-score-session-2"}\n',
        '{"a": NaN}',
    ],
)
def test_foreign_files_are_refused(tmp_path, content):
    path = tmp_path / "s.json"
    path.write_text(content)
    with pytest.raises(StorageError, match="session file must be as itemcurve wrote it"):
        ic.AdaptiveTest.load(path)


def test_damage_anywhere_is_noticed(bank, tmp_path):
    test = ic.AdaptiveTest(bank)
    test.record("q1", 1)
    path = tmp_path / "s.json"
    test.save(path)
    whole = path.read_text()
    assert '"response": 1.0' in whole
    for damaged in (whole[:-50], whole.replace('"response": 1.0', '"response": 0.0')):
        path.write_text(damaged)
        with pytest.raises(StorageError, match="refused"):
            ic.AdaptiveTest.load(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["answers"][0].update(response=0.4),
        lambda d: d["answers"][0].update(item="nobody"),
        lambda d: d["answers"].append(d["answers"][0]),
        lambda d: d["answers"][0].update(probability=3),
        lambda d: d["settings"].update(select={"rule": "os.system", "settings": {}}),
        lambda d: d["settings"].update(stop={"rule": "MaxItems", "settings": {"count": "x"}}),
        lambda d: d["settings"].update(ability_method="x"),
        lambda d: d["settings"].pop("stop"),
        lambda d: d["bank"].update(mark="../../etc/passwd"),
        lambda d: d["bank"].update(mark="A" * 64),
        lambda d: d["bank"].update(mark=7),
        lambda d: d["bank"].update(run=7),
        lambda d: d.pop("handed_out"),
        lambda d: d.update(answers=3),
    ],
)
def test_a_file_with_a_right_checksum_and_wrong_content_is_refused(bank, tmp_path, change):
    test = ic.AdaptiveTest(bank)
    test.record("q1", 1)
    path = tmp_path / "s.json"
    test.save(path)
    document = json.loads(path.read_text())
    document.pop("checksum")
    path.write_bytes(seal_lines([document], NO_SEAL, "the session")[0])
    assert ic.AdaptiveTest.load(path).ability == test.ability
    change(document)
    path.write_bytes(seal_lines([document], NO_SEAL, "the session")[0])
    with pytest.raises(StorageError, match="refused"):
        ic.AdaptiveTest.load(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["parts"][0]["values"].pop(),
        lambda d: d["parts"][0].update(covariance=[1]),
        lambda d: d.update(items=["a"]),
    ],
)
@pytest.mark.parametrize("is_former", [False, True])
def test_a_bank_that_does_not_fit_together_is_refused(bank, tmp_path, change, is_former):
    path = tmp_path / "s.json"
    ic.AdaptiveTest(bank).save(path)
    session = json.loads(path.read_text())
    session.pop("checksum")
    if is_former:
        packed = pack_bank(bank)
        session["format"] = "itemcurve-session-1"
        session["bank"] = {"mark": former_mark(bank), "run": None, "content": packed}
        session["pending"] = session.pop("handed_out")
    else:
        packed = json.loads((tmp_path / f"bank-{bank.mark}.json").read_bytes())

    def write():
        if is_former:
            return path.write_bytes(pack_signed(session, "the session"))
        content = pack_json(packed, "the bank")
        session["bank"]["mark"] = sha256(content).hexdigest()
        (tmp_path / f"bank-{session['bank']['mark']}.json").write_bytes(content)
        return path.write_bytes(seal_lines([session], NO_SEAL, "the session")[0])

    if is_former:
        write()
        assert ic.AdaptiveTest.load(path).bank.mark == bank.mark
    change(packed)
    write()
    with pytest.raises(StorageError, match="refused"):
        ic.AdaptiveTest.load(path)


def test_a_missing_file_says_what_to_do(tmp_path):
    with pytest.raises(StorageError, match="Start one first"):
        ic.AdaptiveTest.load(tmp_path / "s.json")
