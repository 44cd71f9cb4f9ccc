"""Documents, lines of logs and an index of a task whose answers are known."""

import json

import numpy as np

import itemcurve as ic
from itemcurve.logs.harness.item_index import IndexedItem, ItemIndex

COUNT = 200
# The dummy model says "lol" to everything.
ANSWERS = ["lol" if right else "no" for right in np.random.default_rng(0).random(COUNT) < 0.55]
TASK = """
task: sums
dataset_path: json
dataset_kwargs:
  data_files:
    test: {path}
test_split: test
output_type: generate_until
doc_to_text: "What is {{{{number}}}} + {{{{number}}}}?"
doc_to_target: "{{{{answer}}}}"
metric_list:
  - metric: exact_match
    aggregation: mean
    higher_is_better: true
"""


def write_task(folder):
    """Write the documents and the file of the task."""
    folder.mkdir()
    documents = [{"number": k, "answer": answer} for k, answer in enumerate(ANSWERS)]
    lines = "\n".join(json.dumps(document) for document in documents)
    (folder / "sums.jsonl").write_text(lines)
    (folder / "sums.yaml").write_text(TASK.format(path=folder / "sums.jsonl"))


def doc_hash(number):
    from hashlib import sha256

    document = {"number": number, "answer": ANSWERS[number]}
    text = json.dumps(document, indent=2, ensure_ascii=False)
    return sha256(text.encode()).hexdigest()


def line(number):
    return {
        "doc_id": number,
        "doc_hash": doc_hash(number),
        "doc": {"number": number, "answer": ANSWERS[number]},
        "filter": "none",
        "metrics": ["exact_match"],
        "exact_match": float(ANSWERS[number] == "lol"),
    }


def make_index(task="sums"):
    from itemcurve.logs.reading.plain_values import shorten_hash

    return ItemIndex(
        tuple(
            IndexedItem(
                f"{task}/{k}",
                task,
                str(k),
                shorten_hash(doc_hash(k)),
                "lm_eval",
                "exact_match",
                "none",
            )
            for k in range(COUNT)
        )
    )


def make_calibration():
    truth = ic.simulate("2pl", respondents=30, items=COUNT, seed=1).responses.array()
    return ic.Responses.from_array(truth, items=[f"sums/{k}" for k in range(COUNT)])
