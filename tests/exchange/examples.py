"""A fit, an index of its items, and tests of a new respondent."""

from functools import cache

import itemcurve as ic
from itemcurve.logs.harness.item_index import IndexedItem, ItemIndex


@cache
def make_fit():
    truth = ic.simulate("2pl", respondents=40, items=30, seed=3).responses
    names = [f"org/model-{k}" for k in range(40)]
    return ic.fit(ic.Responses.from_array(truth.array(), respondents=names), "2pl")


def make_index(fit, content="c"):
    entries = [
        IndexedItem(item, "quiz", str(k), f"{content}{k}", "lm_eval", "acc", "none")
        for k, item in enumerate(fit.responses.items)
    ]
    return ItemIndex(tuple(entries))


def make_score_test():
    known = make_fit().responses
    test = ic.ScoreTest(known.take(rows=list(range(39))), n_items=12, respondent="org/new")
    new = dict(zip(known.items, known.array()[39], strict=True))
    while items := test.next_batch(12):
        test.record_many({item: new[item] for item in items})
    return test


def make_ability_test():
    test = ic.AdaptiveTest(make_fit().bank, stop=ic.stopping.max_items(5), respondent="new")
    while (item := test.next_item()) is not None:
        test.record(item, 1)
    return test
