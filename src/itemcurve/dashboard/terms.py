"""Words of the dashboard that the report does not use, each in a sentence or two."""

from collections.abc import Mapping

from itemcurve.reports.glossary import TERMS

_MORE: Mapping[str, str] = {
    "respondent": "The AI system that was evaluated.",
    "item": "One question, row or instance that respondents answered.",
    "group": "Subject or task of the items, as far as the run knows it.",
    "answers": "How many answers the numbers rest on.",
    "observed": "Plain average of the responses given.",
    "expected": "What the model expects of a respondent of this ability.",
    "response": "What was answered, from 0 (wrong) to 1 (right) where items are right or wrong.",
    "against expected": "Observed less expected: below 0 it does worse here than elsewhere.",
    "deviations": "How far an answer is from what was expected, in standard deviations.",
    "how": "Whether the answer was better or worse than expected.",
    "lower": "Lower end of the 90 % interval.",
    "upper": "Upper end of the 90 % interval.",
    "p value": "Probability of a difference as large as this by chance; small is a real one.",
    "p adjusted": "The p-value allowing for how many were compared (Holm). Below 0.05: no doubt.",
    "difference": "Second less first, on the items that both answered.",
    "before": "Mean response in the first run, on the items of both.",
    "now": "Mean response in the second run, on the items of both.",
    "verdict before": "Verdict on the item in the first run.",
    "verdict now": "Verdict on the item in the second run.",
    "by chance": "How many items chance alone would give.",
    "headroom": "What is left to gain: 1 less the mean score.",
    "cohort": "The best five, the best twenty-five, and all respondents.",
    "solved": "Share of items that all of the cohort solve.",
    "unsolved": "Share of items that none of the cohort solves.",
    "key error probability": "How probable it is that the key of the item is wrong.",
    "likely key": "The option that able respondents choose instead of the key.",
    "item rest": "Correlation of the item with the score on all others.",
    "condition": "What is wrong with the item, if anything: saturated, redundant, …",
    "correlation": "How alike two items were answered: 1 is exactly alike.",
    "label": "What the data say is true of the item.",
}
GLOSSARY: Mapping[str, str] = {**TERMS, **_MORE}
