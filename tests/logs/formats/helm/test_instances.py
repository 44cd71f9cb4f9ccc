"""Questions, keys and answers of HELM."""

from itemcurve.logs.formats.helm.instances import read_instances


def helm_request(**changes):
    options = {"A": "four", "B": "five"}
    return {
        "instance": {
            "id": "id1",
            "input": {"text": "How many\nis 2 + 3?"},
            "references": [
                {"output": {"text": text}, "tags": ["correct"] * (text == "five")}
                for text in options.values()
            ],
        },
        "output_mapping": options,
        "result": {"success": True, "completions": [{"text": " A"}]},
        **changes,
    }


def test_helm_says_question_key_and_answer_as_options():
    found = read_instances({"request_states": [helm_request()]})["id1"]
    assert (found.question, found.target, found.answer) == ("How many is 2 + 3?", "B", "A")
    by_reference = {"request_states": [helm_request(reference_index=0)]}
    assert read_instances(by_reference)["id1"].answer == ""
