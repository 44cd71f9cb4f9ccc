"""Documents are plain JSON, whatever NumPy values went in."""

import json
import math

import numpy as np
import pytest

from itemcurve.errors import StorageError
from itemcurve.storage.json_documents import pack_json, unpack_json


def test_documents_are_sorted_indented_and_in_utf8():
    text = pack_json({"b": 1, "a": "é"}, "d").decode("utf-8")
    assert text == '{\n  "a": "é",\n  "b": 1\n}\n'


def test_nan_and_infinities_become_null():
    packed = pack_json({"x": [math.nan, math.inf, np.float64(-np.inf), 0.1]}, "d")
    assert unpack_json(packed, "d") == {"x": [None, None, None, 0.1]}


def test_numpy_values_become_plain():
    document = {
        "a": np.arange(2),
        "b": np.float32(0.5),
        "c": np.bool_(True),
        "d": (1, np.str_("x")),
    }
    assert unpack_json(pack_json(document, "d"), "d") == {
        "a": [0, 1],
        "b": 0.5,
        "c": True,
        "d": [1, "x"],
    }


def test_every_float_comes_back_exactly():
    values = np.random.default_rng(1).normal(size=100).tolist()
    assert unpack_json(pack_json({"v": values}, "d"), "d") == {"v": values}


def test_half_a_surrogate_pair_survives():
    assert unpack_json(pack_json({"x": "\ud800"}, "d"), "d") == {"x": "\ud800"}


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({1: "a"}, "key 1 is not text"),
        ({"a": {1, 2}}, "holds a set"),
        ({"a": 1j}, "holds a complex"),
        ({"a": b"x"}, "holds a bytes"),
    ],
)
def test_other_values_are_refused(document, message):
    with pytest.raises(StorageError, match=message):
        pack_json(document, "d")


def test_circles_are_refused():
    circle = {}
    circle["again"] = circle
    with pytest.raises(StorageError, match="circle"):
        pack_json(circle, "d")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"1",
        b'{"a": NaN}',
        b'{"a": Infinity}',
        b"\xff\xfe",
        b'{"a":' * 100_000,
        b'{"a": ' + b"9" * 5000 + b"}",
    ],
)
def test_bad_documents_are_refused(content):
    with pytest.raises(StorageError, match="'d' is refused"):
        unpack_json(content, "d")
    assert json.loads(pack_json({}, "d")) == {}
