"""Which of HELM's statistics are scores, and which score a scenario is judged by."""

import re

# Bookkeeping of HELM: counts, run times, reasons for stopping, probabilities.
_NOT_SCORES = re.compile(
    r"num_.*|.*_cost|inference_.*|batch_size|finish_reason_.*|prompt_truncated|max_prob|logprob"
    r"|predicted_index|.*runtime|.*_tokens?|training_.*|token_cost"
)
# The main metric of each group in HELM's own leaderboards (classic and lite).
_MAIN = {
    "narrative_qa": "f1_score",
    "natural_qa": "f1_score",
    "natural_qa_closedbook": "f1_score",
    "natural_qa_openbook_longans": "f1_score",
    "quac": "f1_score",
    "boolq": "quasi_exact_match",
    "imdb": "quasi_exact_match",
    "civil_comments": "quasi_exact_match",
    "raft": "quasi_exact_match",
    "legalbench": "quasi_exact_match",
    "med_qa": "quasi_exact_match",
    "gsm": "final_number_exact_match",
    "math_chain_of_thought": "math_equiv_chain_of_thought",
    "wmt_14": "bleu_4",
    "summarization_cnndm": "rouge_2",
    "summarization_xsum": "rouge_2",
    "msmarco_regular": "RR@10",
    "msmarco_trec": "NDCG@10",
    "ifeval": "ifeval_strict_accuracy",
}
_PREFERRED = ("exact_match", "quasi_exact_match", "f1_score", "rouge_2", "bleu_4")
_UNIT = re.compile(
    r"(quasi_|prefix_|quasi_prefix_|final_number_)?exact_match(@\d+)?|f1_score|rouge_\w|bleu_\d"
    r"|(RR|NDCG)@\d+|math_equiv\w*|\w*accuracy"
)
_LOWER_IS_BETTER = re.compile(
    r"bits_per_byte|perplexity|edit_distance|.*_error|.*toxic.*|.*_bias.*|mean_squared.*"
)


def is_score(name: str) -> bool:
    """Say whether a statistic judges the answer."""
    return not _NOT_SCORES.fullmatch(name)


def is_unit(name: str) -> bool:
    """Say whether a score is known to lie between 0 and 1."""
    return bool(_UNIT.fullmatch(name))


def is_higher_better(name: str) -> bool:
    """Say whether more of a score is better."""
    return not _LOWER_IS_BETTER.fullmatch(name)


def main_score(groups: list[str], names: list[str]) -> str:
    """Choose the score of a scenario: the leaderboard's, else the first of the usual ones.

    Parameters
    ----------
    groups : of the run, as its specification lists them.
    names : scores that are there, in the order of the metrics that the run asked for.
    """
    for group in groups:
        if _MAIN.get(group) in names:
            return _MAIN[group]
    for name in _PREFERRED:
        if name in names:
            return name
    return names[0] if names else ""
