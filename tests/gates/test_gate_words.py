"""What a gate writes for people, whatever stands in names and questions."""

import numpy as np

import itemcurve as ic


def judge(names=("old", "new"), items=None, lost=30):
    old = np.ones(200)
    new = old.copy()
    new[:lost] = 0
    given = [
        ic.Responses.from_array([row], [name], items)
        for row, name in zip((old, new), names, strict=True)
    ]
    return ic.gate(*given, margin=0.01)


def test_markdown_has_verdict_numbers_and_some_flips():
    text = judge().markdown(flips=3)
    assert text.startswith("## ❌ Regression: new against old")
    assert "| difference | -0.1500 (90% interval" in text
    assert "30 items answered worse" in text
    assert text.count("\n| item\\_") == 3
    assert "… and 27 more." in text
    assert "answered worse" not in judge().markdown(flips=0)


def test_names_and_questions_cannot_break_out_of_their_cells():
    items = ["a|b\n<script>alert(1)</script>[x](y)", *map(str, range(199))]
    text = judge(("o|ld", "n`ew"), items, lost=1).markdown()
    assert "<script>" not in text
    row = next(line for line in text.splitlines() if "alert" in line)
    assert row.replace("\\|", "").count("|") == 4
    assert "n\\`ew against o\\|ld" in text


def test_it_is_said_how_many_items_would_tell():
    found = judge(lost=3)
    assert found.verdict == "cannot tell"
    assert f"About {found.more_items:,} more items" in found.markdown()
    assert f"About {found.more_items:,} more items" in str(found)
