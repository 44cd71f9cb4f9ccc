"""Data of the study of language models."""

from itemcurve_studies.study.data_sources import DataSource

_KEEPER = "github.com/socialfoundations/benchmark-prediction"
_LAYOUT = "array `R`, models × items, 0 and 1, 255 for missing"
_CHECKSUMS = {
    "glue_mrpc": "16016ba4a3df011a9752b36ab57d11bd12a34103d98a0afd7f9bf0dedea704d5",
    "glue_rte": "42c24c50dfa675f0a455f7cef26aaf79f2765404d38792f704605ebd5c0ed644",
    "helm_commonsense": "8a31ab10f49996a9640adc927e43f2953455a4e16c61e10778fcf7bd86417713",
    "helm_gsm": "626cda5c446ac43398f545796aa7ee237d8b5bb4c57815ada177aceb34cf2c5f",
    "helm_math": "2f60ede2bc53e22714a8ad7590fa195c798f30d1bfa8703c1424c148332c85fe",
    "openllm2_ifeval": "566675a11645212f80c2bc29953f62dde718585b257b150c76753f1e461952f7",
    "openllm_arc_challenge": "061125420088550b45ddf6a810bd8a7d404b365c79ec831424d709e5d633ab2e",
}

SOURCES = (
    *(
        DataSource(
            f"data/llm/benchpred_{name}.npz",
            f"answers of language models, {name.replace('_', ' ')}",
            _KEEPER,
            f"https://{_KEEPER}",
            checksum,
            "any matrix under data/llm",
            _LAYOUT,
        )
        for name, checksum in _CHECKSUMS.items()
    ),
    DataSource(
        "data/llm/mmlu_pro_29x12k.npz",
        "answers of language models, MMLU-Pro",
        "github.com/TIGER-AI-Lab/MMLU-Pro",
        "https://github.com/TIGER-AI-Lab/MMLU-Pro",
        "73384106f6ae5b7ca6c81af309c58634e75941025313def436893de25334a070",
        "any matrix under data/llm",
        _LAYOUT,
    ),
)
