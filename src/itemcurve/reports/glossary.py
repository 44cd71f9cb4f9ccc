"""What the words of the page mean, each in a sentence or two."""

from collections.abc import Mapping

TERMS: Mapping[str, str] = {
    "ability": "How able a respondent is, on one scale with the difficulty of items: at equal "
    "values an item of the middle kind is solved half of the time.",
    "skill": "The share of right answers to expect where some labels may be wrong; of numbers, the "
    "share of the mean's error that is avoided.",
    "behind best": "How much skill is missing to the first, on the same items.",
    "tier": "Respondents of one tier cannot be told apart beyond doubt; 1 is the best.",
    "interval": "Where the true value lies with 90 % probability.",
    "± se": "Standard error: how far an estimate is off, typically.",
    "accuracy": "Share of items whose given label was chosen.",
    "f1": "Harmonic mean of precision and recall, averaged over classes.",
    "brier": "Mean squared error of the stated probabilities; 0 is perfect, less is better.",
    "log loss": "Mean surprise at the labels; being sure and wrong costs most. Less is better.",
    "auc": "How well probabilities order the items by class: 0.5 is chance, 1 perfect.",
    "mae": "Mean absolute error; less is better.",
    "rmse": "Root of the mean squared error; less is better.",
    "r2": "Share of the variance explained; 1 is perfect, 0 no better than the mean.",
    "calibration": "Whether stated probabilities come true. Over-confident ×3: the log-odds stated "
    "are three times too large.",
    "reference": "A constant answer or an oracle, to compare with; it is not ranked.",
    "difficulty": "Where on the scale of ability an item lies: the higher, the fewer solve it.",
    "discrimination": "How sharply an item tells able from less able respondents. Below 0, better "
    "respondents do worse: its label or key may be wrong.",
    "guessing": "Share of right answers that the least able give to an item.",
    "mean response": "Plain average of the responses.",
    "verdict": "What an item does: easy and hard ones tell little here, uninformative ones hardly "
    "separate respondents, constant ones were answered alike by all, and a suspect label is "
    "probably wrong.",
    "label error probability": "How probable it is that the given label is wrong.",
    "probability negative": "How probable it is that better respondents do worse on the item.",
    "outfit": "Mean squared residual: near 1 the model fits, far above 1 some answers surprise.",
    "fit p": "Probability of a misfit as large as this by chance; small is bad.",
    "information": "How much the items tell about abilities at each place; the standard error "
    "there is one over its root.",
    "given label": "What the data say.",
    "likely label": "What all respondents together find most probable.",
    "dissenters": "Who of the abler half disagrees with the given label, and says what.",
    "answer": "What was said: the label that was predicted, or the option that was chosen.",
    "n": "How many items the respondent answered.",
    "rank": "Place by the order that is named above the table.",
    "in each": "What single cross-validations say of the label: the lowest and the highest "
    "probability that it is wrong. Where these are far apart, the suspicion is not firm.",
    "class": "One of the labels that are predicted.",
    "rows": "How many items have this label.",
    "share right": "Of the items with this label, the share that is recognised (recall).",
    "mostly taken for": "What the others are said to be, and how many of them.",
    "named rightly": "Of the items that are said to be of this class, the share that has its label "
    "(precision).",
    "all models": "Mean share right of all models.",
    "best at it": "The model that recognises most items of this class, and its share right.",
    "suspect labels": "How many of these labels are suspect.",
}
