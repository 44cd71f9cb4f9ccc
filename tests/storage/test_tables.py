import pandas
import pytest

from itemcurve.errors import StorageError
from itemcurve.storage.json_documents import pack_json, unpack_json
from itemcurve.storage.tables import is_table, pack_table, unpack_table


def test_a_table_survives_the_way_through_json():
    frame = pandas.DataFrame(
        {"item": ["a", "b"], "difficulty": [0.5, -1.25], "suspect": [True, False]}
    )
    document = unpack_json(pack_json(pack_table(frame, "Items", {"rate": 0.1}), "audit"), "audit")
    assert is_table(document)
    assert document["notes"] == {"rate": 0.1}
    pandas.testing.assert_frame_equal(unpack_table(document, "audit"), frame)


def test_what_is_unknown_becomes_missing():
    frame = pandas.DataFrame({"x": [1.0, float("nan"), float("inf")]})
    assert pack_table(frame, "t")["columns"][0]["cells"] == [1.0, None, None]


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"format": "itemcurve-table-1"},
        {"format": "itemcurve-table-1", "columns": "word"},
        {"format": "itemcurve-table-1", "columns": [{"name": "a"}]},
        {"format": "itemcurve-table-1", "columns": [{"name": "a", "cells": [[1]]}]},
        {"format": "itemcurve-table-1", "columns": [{"name": "a", "cells": []}] * 2},
        {
            "format": "itemcurve-table-1",
            "columns": [{"name": "a", "cells": [1]}, {"name": "b", "cells": [1, 2]}],
        },
    ],
)
def test_a_damaged_table_is_refused(document):
    with pytest.raises(StorageError, match="audit"):
        unpack_table(document, "audit")
