"""Pages of the dashboard over HTTP: the documents of the library, and refusals that say why."""

import numpy as np
import pytest

from itemcurve.dashboard.run_documents import RunDocuments
from itemcurve.reports.source import read_source

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def get(service, tokens, owned):
    return lambda path: service.get(f"/v1/runs/{owned['run']}/pages{path}", token=tokens.read)


@pytest.fixture(scope="module")
def documents(fitted_run):
    return RunDocuments(read_source(fitted_run))


def test_documents_are_those_of_the_library(get, documents):
    page, brief = get("/overview").json, get("/brief").json
    assert page["tiles"] == documents.page()["tiles"] == brief["tiles"]
    assert page["worklist"] == documents.page()["worklist"]
    assert get("/item?item=q3").json == documents.item("q3")
    name = documents.source.fit.responses.respondents[7]
    assert get(f"/respondent?respondent={name}").json == documents.respondent(name)
    assert get("/health").json == documents.health()
    assert get("/map").body == documents.map()
    assert get("/items?search=q1").json == documents.items("q1")


def test_a_polygon_chooses_items(get, documents):
    everywhere = "-99,-99%2099,-99%2099,99%20-99,99"
    assert get(f"/items?polygon={everywhere}").json["total"] == 12
    assert get("/items?polygon=0,0%201,x").kind == "invalid-request"
    assert get("/items?polygon=0,0%201,nan").kind == "invalid-request"
    assert np.isfinite(get("/items?polygon=5,5%206,6").json["total"])


def test_what_is_not_there_is_a_problem(get):
    assert get("/item?item=none").kind == "no-such-item"
    assert get("/respondent?respondent=none").kind == "no-such-respondent"
    assert get("/comparison?other=0000000000000000").kind == "no-such-run"
    assert get("/comparison?other=abababababababab&a=none&b=0").kind == "no-such-respondent"


def test_a_run_is_compared_with_itself_and_two_respondents_with_each_other(get, documents):
    found = get("/comparison?other=abababababababab").json
    assert found["words"][0].startswith("60 respondents and 12 items are in both.")
    a, b = documents.source.fit.responses.respondents[:2]
    two = get(f"/comparison?other=abababababababab&a={a}&b={b}").json
    assert two["words"][0].startswith(f"{b} against {a} on 12 items")


def test_the_page_and_its_files_need_no_token_and_no_other_file_is_given(service):
    page = service.get("/")
    assert page.status == 200
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert service.get("/assets/dashboard.js").headers["content-type"].startswith("text/javascript")
    assert service.get("/assets/dashboard.css").headers["content-type"].startswith("text/css")
    assert service.get("/favicon.ico").status == 200
    for name in ("bundle.py", "..%2Fbundle.py", "dashboard.js%00"):
        assert service.get(f"/assets/{name}").status == 404
