"""`longline plan`: routes and their cost, from a small probe of a real server."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench.faulty.beside import website_with
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from tests.cli.conftest import Run

from longline.simulate import Searcher, read_corpus, running_site, website

SIZE = 400
COVERAGES = ["0.5", "0.8", "0.9", "0.95", "0.98"]


@pytest.fixture
def planned(run: Run, corpus: Path, log: list[str]) -> Callable[..., dict[str, Any]]:
    """Serves a site and plans it; returns the JSON of the plan."""

    def plan(
        *options: object, offers: tuple[str, ...] = (), path: str = "/", **source: object
    ) -> dict[str, Any]:
        bounds: dict[str, Any] = {"limit": 50, "page_size": 10, **source}
        documents = read_corpus(str(corpus))
        site = website_with(Searcher(documents, **bounds), documents, offers)
        with running_site(site, log=log) as url:
            done = run("plan", f"{url}{path}", "--allow-private", "--json", *options)
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    return plan


def routes(plan: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return a plan's routes by name."""
    return {route["route"]: route for route in plan["routes"]}


@pytest.mark.slow
def test_a_plan_says_what_it_would_cost(
    planned: Callable[..., dict[str, Any]], log: list[str], tmp_path: Path
) -> None:
    """A plan has size, routes and costs by coverage; it saves nothing and counts its requests."""
    plan = planned()
    size = plan["size"]
    assert size["low"] <= SIZE <= size["high"]
    assert size["at_least"] <= SIZE
    found = routes(plan)
    assert list(found) == ["partition", "adaptive"]
    assert plan["recommended"] == plan["recommended_here"] == "partition"
    for route in found.values():
        assert list(route["requests"]) == COVERAGES
        costs = [cost for cost in route["requests"].values() if cost is not None]
        assert costs == sorted(costs)
        assert costs[0] >= SIZE / 2  # each document has its own page
        assert route["command"].startswith("longline harvest http://127.0.0.1")
    assert plan["document_pages"]
    assert plan["requests"] <= 40
    # Besides the probe: the page that names the spec, the spec, and a robots.txt.
    assert plan["requests"] <= len(log) <= plan["requests"] + 3
    assert not any(path.startswith("/documents") for path in log)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_harvest_costs_what_the_plan_said(run: Run, corpus: Path, log: list[str]) -> None:
    """The recommended command costs about as many requests as planned."""
    with running_site(Searcher(read_corpus(str(corpus)), limit=50, page_size=10), log=log) as url:
        plan = json.loads(run("plan", url, "--allow-private", "--json").stdout)
        best = routes(plan)[plan["recommended_here"]]
        options = best["command"].split()[3:]
        log.clear()
        run("harvest", url, "--allow-private", "--no-estimate", *options)
    documents = len({path for path in log if path.startswith("/documents/")})
    assert documents >= 0.98 * SIZE
    assert best["requests"]["0.98"] == pytest.approx(len(log), rel=0.15)


@pytest.mark.slow
def test_other_routes_are_compared(planned: Callable[..., dict[str, Any]]) -> None:
    """A sitemap is the cheapest route to documents; records and feeds are separate routes."""
    plan = planned("--max-requests", 60, offers=("sitemap", "oai-pmh", "feed"))
    found = routes(plan)
    assert plan["recommended"] == "sitemap"
    assert plan["recommended_here"] == "partition"
    assert found["sitemap"]["reach"] == pytest.approx(1, abs=0.05)
    assert found["sitemap"]["requests"]["0.9"] == pytest.approx(0.9 * SIZE, rel=0.06)
    assert found["oai-pmh"]["brings"] == "records"
    assert found["oai-pmh"]["requests"]["0.98"] == 4
    assert found["feed"]["reach"] == pytest.approx(20 / SIZE, abs=0.01)
    assert found["sitemap"]["command"] == ""


@pytest.mark.slow
def test_a_listing_that_ends_early_is_not_recommended(
    planned: Callable[..., dict[str, Any]],
) -> None:
    """A listing gives the size, but it reaches only as far as the return limit."""
    plan = planned(lists_all=True)
    assert plan["size"]["documents"] == SIZE
    assert plan["size"]["method"] == "listing"
    listing = routes(plan)["listing"]
    assert listing["reach"] == pytest.approx(50 / SIZE)
    assert set(listing["requests"].values()) == {None}
    assert plan["recommended"] == "partition"


@pytest.mark.slow
def test_without_totals_no_size_is_made_up(planned: Callable[..., dict[str, Any]]) -> None:
    """Without a known size, costs are given per thousand documents and not as totals."""
    plan = planned(counts="none")
    assert plan["size"]["documents"] is None
    assert 10 < plan["size"]["at_least"] <= SIZE
    for route in plan["routes"]:
        assert set(route["requests"].values()) == {None}
    assert 900 < routes(plan)["partition"]["per_thousand"]["0.9"] < 1300


@pytest.mark.slow
def test_without_not_there_is_no_partition(planned: Callable[..., dict[str, Any]]) -> None:
    """A search box without NOT can only be queried by terms."""
    plan = planned(boolean=False, path="/api/source.toml")
    assert list(routes(plan)) == ["adaptive"]
    assert plan["size"]["method"] == "roots"


def test_not_a_request_too_many(planned: Callable[..., dict[str, Any]], log: list[str]) -> None:
    """A probe stays within its budget, says that it was cut short, and still plans."""
    plan = planned("--max-requests", 9, path="/source.toml")
    assert plan["requests"] <= 9
    assert len(log) <= 9 + 2
    assert "requests" in plan["stopped"]
    assert plan["routes"]


@pytest.mark.slow
def test_the_table_is_for_people(run: Run, site: str) -> None:
    """Without --json, standard output is a table without progress lines."""
    done = run("plan", site, "--allow-private", "--rate", 200)
    assert done.returncode == 0
    assert "partition *" in done.stdout
    assert "requests, by coverage" in done.stdout
    assert "no document was saved" in done.stdout
    assert "Times assume 200 requests per second" in done.stdout


@pytest.mark.slow
def test_a_spec_file_and_a_folder_are_sources(run: Run, site: str, tmp_path: Path) -> None:
    """SOURCE may be a spec file or the folder of a harvest, which keeps its own strategy."""
    assert run("harvest", site, "--allow-private", "-o", "got", "--max-requests", 8).returncode == 3
    for source, into in (("got", " -o got-more"), ("got/source.toml", "")):
        plan = json.loads(run("plan", source, "--allow-private", "--json").stdout)
        assert plan["source"].rstrip("/") == site
        command = f"longline harvest got/source.toml --allow-private{into} --strategy partition"
        assert plan["routes"][0]["command"] == command


@pytest.mark.slow
def test_a_way_that_a_harvest_has_gone_is_not_recommended_again(run: Run, site: str) -> None:
    """After a harvest that asked for all it could, only other ways are worth a look."""
    assert run("harvest", site, "--allow-private", "-o", "whole").returncode == 0
    plan = json.loads(run("plan", "whole", "--allow-private", "--json").stdout)
    assert {"partition", "adaptive"} <= set(plan["taken"])
    assert plan["recommended_here"] not in plan["taken"]
    shown = run("plan", "whole", "--allow-private").stdout
    assert f"has gone to the end of: {', '.join(plan['taken'])}." in shown
    assert "Ask the owner of the site for what is missing." in shown


@pytest.mark.slow
def test_bad_input(run: Run, site: str, tmp_path: Path) -> None:
    """Bad input gives an error on standard error and exit code 2."""
    (tmp_path / "broken.toml").write_text("[source\n")
    for arguments, said in (
        (["nothing.toml"], "nothing.toml"),
        (["broken.toml"], "broken.toml"),
        ([site], "--allow-private"),
        ([site, "--allow-private", "--rate", "0"], "rate"),
    ):
        done = run("plan", *arguments)
        assert done.returncode == 2, arguments
        assert said in done.stderr
        assert "Traceback" not in done.stderr
        assert done.stdout == ""
    assert run("plan", site, "--max-requests", 0).returncode == 2


@pytest.mark.slow
def test_a_source_that_is_not_there(run: Run) -> None:
    """An unreachable host is reported, with exit code 3."""
    done = run("plan", "http://127.0.0.1:1/source.toml", "--allow-private")
    assert done.returncode == 3
    assert "127.0.0.1" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_limit_that_no_spec_names_is_found_out(run: Run, site: str, tmp_path: Path) -> None:
    """Without a limit in the spec, the plan says how many results a search showed."""
    assert run("harvest", site, "--allow-private", "-o", "got", "--max-requests", 8).returncode == 3
    spec = (tmp_path / "got/source.toml").read_text()
    (tmp_path / "mine.toml").write_text(re.sub(r"(?m)^limit = .*\n", "", spec))
    plan = json.loads(run("plan", "mine.toml", "--allow-private", "--json").stdout)
    # The site shows 50 of the 400 documents, so that no probe finds 100 or more.
    assert plan["abilities"]["limit"] is None
    assert "a search showed 50 results" in plan["doubts"]


def test_robots_are_obeyed(run: Run, corpus: Path) -> None:
    """A source whose robots.txt disallows searches is not probed."""
    box = Searcher(read_corpus(str(corpus)), limit=50, page_size=10)
    site = website(box, robots="User-agent: *\nDisallow: /search\n")
    with running_site(site) as url:
        done = run("plan", f"{url}/source.toml", "--allow-private")
    assert done.returncode == 3
    assert "robots.txt" in done.stderr


def test_a_missing_home_page_is_not_what_ended_a_plan(run: Run, site: str, tmp_path: Path) -> None:
    """Where a search finds nothing, the plan says so, even if nothing is at the source's root."""
    (tmp_path / "api.toml").write_text(f"""
        source = {{ name = "api", url = "{site}/nowhere" }}
        ask = {{ url = "{site}/search?q={{query}}&page={{page}}" }}
        results = {{ hit = "css:li.none", link = "css:a" }}
    """)
    done = run("plan", "api.toml", "--allow-private", "--max-requests", 10)
    assert (done.returncode, done.stdout) == (2, "")
    assert "searches matched nothing" in done.stderr


@pytest.mark.slow
def test_search_without_a_hit_is_no_plan(run: Run, tmp_path: Path) -> None:
    """Without any known document, no route is invented."""
    corpus = tmp_path / "two.jsonl"
    corpus.write_text('{"id": 1, "text": "qwrtz"}\n{"id": 2, "text": "zxcvb"}\n')
    with running_site(Searcher(read_corpus(corpus))) as url:
        done = run("plan", f"{url}/", "--allow-private")
    assert (done.returncode, done.stdout) == (2, "")
    assert "searches matched nothing" in done.stderr


@pytest.mark.slow
def test_what_a_plan_learnt_is_not_learnt_again(run: Run, corpus: Path, tmp_path: Path) -> None:
    """A harvest into a plan's folder does not learn the source again."""
    asked: list[str] = []
    documents = read_corpus(str(corpus))
    site = website_with(Searcher(documents, limit=50, page_size=10), documents, ())
    with running_site(site, log=asked) as url:
        home = f"{url}/"
        planned = run("plan", home, "-o", "got", "--allow-private", "--json")
        assert planned.returncode == 0, planned.stderr
        command = json.loads(planned.stdout)["routes"][0]["command"]
        assert command.startswith("longline harvest got --allow-private")
        assert [path.name for path in (tmp_path / "got").iterdir()] == ["source.toml"]
        few = ("--allow-private", "--max-requests", 6)
        asked.clear()
        assert run("harvest", home, "-o", "got", *few).returncode == 3
        assert len(asked) == 6
        found = json.loads((tmp_path / "got/certificate.json").read_text())
        assert found["discovery_requests"] == 0
        again = run("plan", home, "-o", "got", "--allow-private")
    assert again.returncode == 2
    assert "got" in again.stderr


@pytest.mark.slow
def test_a_plan_of_a_harvest_asks_words_of_its_documents(run: Run, tmp_path: Path) -> None:
    """The texts have no word of a dictionary; those that are saved tell what to ask."""
    rng = np.random.default_rng(0)
    stems = ["".join(rng.choice(list("qxzvwkj"), 5)) for _ in range(60)]
    texts = [" ".join(rng.choice(stems, 25)) for _ in range(150)]
    corpus = tmp_path / "made.jsonl"
    rows = [json.dumps({"id": n, "title": f"No {n}", "text": text}) for n, text in enumerate(texts)]
    corpus.write_text("\n".join(rows))
    (tmp_path / "words.txt").write_text(" ".join(stems[:3]))
    site = ("--allow-private", "--strategy", "adaptive")
    with running_site(Searcher(read_corpus(corpus), limit=50, page_size=10)) as url:
        run("harvest", f"{url}/", "-o", "got", *site, "--words", "words.txt", "--max-requests", 90)
        (tmp_path / "words.txt").unlink()
        planned = run("plan", "got", "--allow-private", "--json")
    assert planned.returncode == 0, planned.stderr
    size = json.loads(planned.stdout)["size"]
    assert 100 <= size["documents"] <= 200


COURTS = {"north": 34, "south": 21, "east": 5}
REGISTER = """
[source]
name = "Register"
url = "{url}/"
[ask]
url = "{url}/find"
page_size = 10
[facets.court]
parameter = "court"
values = ["north", "south", "east"]
required = true
[results]
hit = "css:li"
link = "css:a"
title = "css:a"
text = "css:a"
next = "css:a.next"
total = "css:b"
"""


def test_a_source_without_words_is_counted_by_its_parts(run: Run, tmp_path: Path) -> None:
    """One search for each court shows how many cases and result pages there are."""

    def find(request: Request) -> Response:
        count = COURTS.get(request.query_params.get("court", ""), 0)
        court = request.query_params.get("court", "")
        rows = "".join(f"<li><a href=/{court}{n}>Case {n}</a>" for n in range(min(count, 10)))
        more = f'<a class=next href="?court={court}&p=2">Next</a>' if count > 10 else ""
        return HTMLResponse(f"<b>{count} cases</b><ul>{rows}</ul>{more}")

    with running_site(Starlette(routes=[Route("/find", find)])) as url:
        (tmp_path / "source.toml").write_text(REGISTER.format(url=url), encoding="utf-8")
        done = run("plan", "source.toml", "--allow-private", "--json")
    assert done.returncode == 0, done.stderr
    plan = json.loads(done.stdout)
    assert plan["size"]["documents"] == plan["size"]["low"] == sum(COURTS.values())
    (route,) = plan["routes"]
    assert route["requests"]["0.98"] == 8  # result pages; texts are on them
