"""Trials of analyses on odd data under odd names, each drawn from a kind, a seed and a number."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
import pandas

import itemcurve as ic
from benchmarks.faults.odd_sets import MODELS, OddSet, draw_odd_set
from benchmarks.faults.odd_tables import draw_names
from itemcurve.groups import Groups
from itemcurve.judges import Raters

STRANGER = "nobody has this name"
_SERVED = ("1pl", "2pl", "3pl", "grm", "gpcm", "pcm", "beta3", "fractional-2pl")
_OTHERS: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    (
        "shorten_benchmark",
        lambda fit: ic.shorten_benchmark(fit, max(1, fit.responses.shape[1] // 2)),
    ),
    ("compare_respondents", lambda fit: ic.compare_respondents(fit.responses)),
    ("item_fit", lambda fit: ic.item_fit(fit)),
    ("person_fit", lambda fit: ic.person_fit(fit)),
    ("local_dependence", lambda fit: ic.local_dependence(fit)),
    ("model_fit", lambda fit: ic.model_fit(fit)),
    ("build_leaderboard", lambda fit: ic.build_leaderboard(fit)),
    ("ranking", lambda fit: ic.ranking(fit)),
    ("summarise_items", lambda fit: ic.summarise_items(fit)),
    ("item_verdicts", lambda fit: ic.item_verdicts(fit)),
    ("health", lambda fit: ic.health(fit)),
    ("findings", lambda fit: ic.findings(fit)),
    ("score", lambda fit: ic.score(fit, fit.responses)),
    ("choose_items", lambda fit: ic.choose_items(fit, max(1, fit.responses.shape[1] // 2))),
    ("compare", lambda fit: ic.compare(fit.responses, [fit.model, "1pl"])),
)


@dataclass(frozen=True)
class Trial:
    """One call, and the same in another order, and with an id that nobody has."""

    name: str
    run: Callable[[], Any]
    shuffled: "Trial | None" = None
    strange: "Trial | None" = None

    def __str__(self) -> str:
        return self.name

    def tables(self, result: Any) -> list[pandas.DataFrame]:
        """What the result shows, in tables."""
        if isinstance(result, pandas.DataFrame):
            return [result]
        shown = [getattr(result, name, None) for name in _TABLES]
        found = [table for table in shown if isinstance(table, pandas.DataFrame)]
        frame = getattr(result, "frame", None)
        return [*found, frame()] if callable(frame) else found

    def is_doubted(self, result: Any) -> bool:
        """Whether a status says that not all of it can be relied on."""
        return str(getattr(result, "status", "converged")) != "converged"


_TABLES = ("items", "respondents", "groups", "coefficients", "raters", "correlations", "effects")


@dataclass(frozen=True)
class Material:
    """Odd data under odd names, as the trials of a kind find them."""

    odd: OddSet
    respondents: list[str]
    items: list[str]

    def responses(self) -> ic.Responses:
        """Give them as responses, which may be refused: that is an ending of a trial, too."""
        return ic.Responses.from_array(
            self.odd.values,
            weights=self.odd.weights,
            respondents=self.respondents,
            items=self.items,
        )

    def fit(self, responses: ic.Responses | None = None, **settings: Any) -> Any:
        """Fit them, or part of them, with its model."""
        given = self.responses() if responses is None else responses
        return ic.fit(given, self.odd.model, on_failure="ignore", **settings)


def draw_trial(kind: str, seed: int, number: int) -> Trial:
    """Draw the trial of this number."""
    place = list(KINDS).index(kind)
    model = _SERVED[number % len(_SERVED)]
    odd = draw_odd_set(seed + 100 + place, len(MODELS) * number + MODELS.index(model))
    random = Random(f"{seed} {kind} {number}")
    names = [draw_names(random, stem, n) for stem, n in zip("rq", odd.values.shape, strict=True)]
    made = KINDS[kind](Material(odd, *names), np.random.default_rng([seed, place, number]), number)
    return replace(made, name=f"{kind} {odd} {made.name}".strip())


def _labels(rng: np.random.Generator, names: Iterable[str]) -> dict[str, str]:
    found = list(names)
    labels = rng.choice(["a", "b", "c"][: int(rng.integers(1, 4))], len(found))
    return dict(zip(found, map(str, labels), strict=True))


def _shuffled(rng: np.random.Generator, labels: dict[str, Any]) -> dict[str, Any]:
    return {name: labels[name] for name in (list(labels)[k] for k in rng.permutation(len(labels)))}


def _strange(labels: dict[str, Any]) -> dict[str, Any]:
    (_, label), *others = labels.items()
    return {STRANGER: label, **dict(others)}


def _groups(drawn: Material, rng: np.random.Generator, number: int) -> Trial:
    labels = _labels(rng, drawn.respondents)
    equal = ((), ("slopes",), ("slopes", "intercepts"))[number % 3]

    def run(given: Any) -> Callable[[], Any]:
        return lambda: drawn.fit(groups=given, equal=equal)

    others = Trial("", run(_shuffled(rng, labels))), Trial("", run(_strange(labels)))
    return Trial(f"equal={equal}", run(list(labels.values())), *others)


def _free_items(drawn: Material, rng: np.random.Generator, number: int) -> Trial:
    labels, free = _labels(rng, drawn.respondents), drawn.items[: 1 + number % 2]

    def run(given: Any, named: list[str]) -> Callable[[], Any]:
        return lambda: drawn.fit(groups=Groups(given, free=named))

    others = Trial("", run(_shuffled(rng, labels), free[::-1])), Trial("", run(labels, [STRANGER]))
    return Trial(f"free {free}", run(labels, free), *others)


def _features(rng: np.random.Generator, names: list[str]) -> dict[str, Any]:
    count, kind = len(names), int(rng.integers(5))
    first = rng.normal(size=count) * (1e300, 1e-300, 1.0, 1.0, 0.0)[kind]
    second = rng.choice(["x", "y", "z"], count) if rng.random() < 0.5 else rng.normal(size=count)
    if rng.random() < 0.1:
        first[0] = np.nan
    return {"length": first, "kind": second}


def _table(column: str, names: list[str], columns: dict[str, Any]) -> pandas.DataFrame:
    return pandas.DataFrame({column: names, **columns})


def _renamed(table: pandas.DataFrame, column: str) -> pandas.DataFrame:
    return table.assign(**{column: [STRANGER, *table[column].tolist()[1:]]})


def _covariates(drawn: Material, rng: np.random.Generator, number: int) -> Trial:
    table = _table("respondent", drawn.respondents, _features(rng, drawn.respondents))

    def run(given: Any) -> Callable[[], Any]:
        return lambda: drawn.fit(covariates=given)

    mixed = table.iloc[rng.permutation(len(table))]
    others = Trial("", run(mixed)), Trial("", run(_renamed(table, "respondent")))
    return Trial("", run(table), *others)


def _anchors(drawn: Material, rng: np.random.Generator, number: int) -> Trial:
    known = [
        int(place) for place in rng.permutation(len(drawn.items))[: max(1, len(drawn.items) // 2)]
    ]

    def run(order: list[int]) -> Callable[[], Any]:
        return lambda: drawn.fit(anchors=drawn.fit(drawn.responses().take(columns=order)).bank)

    return Trial(f"{len(known)} known", run(known), Trial("", run(known[::-1])))


def _dimensions(drawn: Material, rng: np.random.Generator, number: int) -> Trial:
    if number % 3 == 0:
        return Trial("2", lambda: drawn.fit(dimensions=2))
    middle = max(1, len(drawn.items) // 2)
    parts = {"x": drawn.items[:middle], "y": drawn.items[middle:]}
    general = (False, True, "above")[number // 3 % 3]

    def run(given: dict[str, list[str]]) -> Callable[[], Any]:
        return lambda: drawn.fit(dimensions=given, general=general)

    other = Trial("", run({name: items[::-1] for name, items in parts.items()}))
    strange = Trial("", run({**parts, "y": [*parts["y"], STRANGER]}))
    return Trial(f"general={general}", run(parts), other, strange)


def _dif(drawn: Material, rng: np.random.Generator, number: int) -> Trial:
    labels = _labels(rng, drawn.respondents)

    def run(given: Any) -> Callable[[], Any]:
        return lambda: ic.dif(drawn.responses(), given, drawn.odd.model)

    others = Trial("", run(_shuffled(rng, labels))), Trial("", run(_strange(labels)))
    return Trial("", run(labels), *others)


def _link(drawn: Material, rng: np.random.Generator, number: int) -> Trial:
    method = ("stocking-lord", "haebara", "mean-mean", "mean-sigma")[number % 4]
    count = len(drawn.respondents)
    rows = [row for row in range(count) if row % 3 or count < 6]

    def run(order: list[int]) -> Callable[[], Any]:
        def call() -> Any:
            part = drawn.responses().take(rows, order)
            return ic.link(drawn.fit(), drawn.fit(part), method=method)

        return call

    order = list(range(len(drawn.items)))
    return Trial(method, run(order), Trial("", run(order[::-1])))


def _long(drawn: Material, rng: np.random.Generator) -> pandas.DataFrame:
    """Rate every answer by up to three judges, who differ in every fifth."""
    values = drawn.odd.values if rng.random() < 0.2 else np.clip(np.round(drawn.odd.values), 0, 4)
    judges = ["j1", "j2", "7"][: int(rng.integers(1, 4))]
    rows = [
        (drawn.respondents[r], drawn.items[i], judge, values[r, i] + (rng.random() < 0.2))
        for r, i in np.ndindex(values.shape)
        for judge in judges
        if rng.random() < 0.8
    ]
    table = pandas.DataFrame(rows, columns=["respondent", "item", "rater", "rating"])
    return table.dropna() if rng.random() < 0.8 else table


def _raters(drawn: Material, rng: np.random.Generator, number: int) -> Trial:
    table, model = _long(drawn, rng), ("grm", "gpcm", "pcm", "rsm")[number % 4]

    def run(given: pandas.DataFrame, **settings: Any) -> Callable[[], Any]:
        return lambda: ic.fit(given, model, raters=Raters(**settings), on_failure="ignore")

    mixed = table.iloc[rng.permutation(len(table))]
    strange = Trial("", run(table, anchors=(STRANGER,)))
    return Trial(model, run(table), Trial("", run(mixed)), strange)


def _votes(drawn: Material, rng: np.random.Generator, number: int) -> Trial:
    count, who = (
        int(rng.choice([1, 3, 10, 60])),
        drawn.respondents if len(drawn.respondents) > 1 else ["a", "b"],
    )
    pairs = [rng.choice(len(who), 2, replace=False) for _ in range(count)]
    words = (["a", "b", "tie"], ["a"], ["tie"], ["a", "b"], ["both_bad", "a"])[number % 5]
    table = pandas.DataFrame(
        {
            "respondent_a": [who[a] for a, _ in pairs],
            "respondent_b": [who[b] for _, b in pairs],
            "winner": rng.choice(words, count),
            "weight": (1.0, 1e6, 1e-6)[number % 3] * rng.integers(1, 3, count),
        }
    )
    settings = {"repeats": "keep", "pieces": ("refuse", "largest")[number % 2]}
    mixed = table.iloc[rng.permutation(count)]
    strange = Trial("", lambda: ic.fit_pairs(table, reference=STRANGER, **settings))
    shuffled = Trial("", lambda: ic.fit_pairs(mixed, **settings))
    return Trial(f"{count} votes", lambda: ic.fit_pairs(table, **settings), shuffled, strange)


def _item_features(drawn: Material, rng: np.random.Generator, number: int) -> Trial:
    table = _table("item", drawn.items, _features(rng, drawn.items))

    def run(given: pandas.DataFrame) -> Callable[[], Any]:
        return lambda: drawn.fit().explain_items(given)

    others = (
        Trial("", run(table.iloc[rng.permutation(len(table))])),
        Trial("", run(_renamed(table, "item"))),
    )
    return Trial("", run(table), *others)


def _predictions(drawn: Material, rng: np.random.Generator, number: int) -> Trial:
    count = len(drawn.items)
    kept = [int(place) for place in rng.permutation(count)[: max(1, count // 2)]]

    def run(order: list[int]) -> Callable[[], Any]:
        def call() -> Any:
            known = drawn.fit() if number % 2 else drawn.responses()
            return ic.predict_scores(known, drawn.responses().take(columns=order))

        return call

    def strange() -> Any:
        few = drawn.responses().take(columns=kept)
        names = [STRANGER, *list(few.items)[1:]]
        other = ic.Responses.from_array(few.array(), respondents=few.respondents, items=names)
        return ic.predict_scores(drawn.responses(), other)

    return Trial(f"{len(kept)} asked", run(kept), Trial("", run(kept[::-1])), Trial("", strange))


def _other_analyses(drawn: Material, rng: np.random.Generator, number: int) -> Trial:
    name, call = _OTHERS[number % len(_OTHERS)]
    return Trial(name, lambda: call(drawn.fit()))


KINDS: dict[str, Callable[[Material, np.random.Generator, int], Trial]] = {
    "groups": _groups,
    "items free in groups": _free_items,
    "covariates": _covariates,
    "anchors": _anchors,
    "several abilities": _dimensions,
    "differences": _dif,
    "links": _link,
    "raters": _raters,
    "votes": _votes,
    "features of items": _item_features,
    "predictions": _predictions,
    "other analyses": _other_analyses,
}
