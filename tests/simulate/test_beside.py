"""Test what a simulated site offers besides its search, as other programs read it."""

import asyncio

import parsel
import pytest
from bench.faulty.beside import website_with
from tests.webs import web_fetcher

from longline.errors import RefusedError
from longline.model import Document, Request
from longline.simulate import Searcher, running_site, website

CORPUS = [Document(f"d<{n}>", title=f"T&{n}\x0c", text=f"word{n}") for n in range(1250)]


def got(url: str) -> parsel.Selector:
    """Fetch a URL and parse it strictly as XML."""

    async def fetch() -> bytes:
        fetcher = web_fetcher()
        try:
            return (await fetcher.fetch(Request(url))).body
        finally:
            await fetcher.close()

    from lxml import etree

    body = asyncio.run(fetch())
    etree.fromstring(body)  # raises if it is not well formed
    root = parsel.Selector(body=body, type="xml")
    root.remove_namespaces()
    return root


def test_nothing_is_offered_unasked() -> None:
    """Without offers there is no sitemap, OAI-PMH or feed."""
    with running_site(website(Searcher(CORPUS))) as url:
        for path in ("/sitemap.xml", "/oai?verb=Identify", "/feed.xml"):
            with pytest.raises(RefusedError):
                got(url + path)


def test_the_sitemap_names_every_document() -> None:
    """The sitemap files list each document's address once, and it works."""
    site = website_with(Searcher(CORPUS), CORPUS, ("sitemap",))
    with running_site(site) as url:
        files = got(f"{url}/sitemap.xml").xpath("//sitemap/loc/text()").getall()
        found = [each for file in files for each in got(file).xpath("//loc/text()").getall()]
        assert len(files) == 2
        assert len(set(found)) == len(found) == len(CORPUS)
        assert found[0] == f"{url}/documents/d%3C0%3E"
        with pytest.raises(RefusedError):
            got(f"{url}/sitemap-2.xml")


@pytest.mark.parametrize("verb", ["ListIdentifiers", "ListRecords"])
def test_oai_pmh_goes_on_to_its_end(verb: str) -> None:
    """Resumption tokens lead through every record once; the last response's token is empty."""
    site = website_with(Searcher(CORPUS), CORPUS, ("oai-pmh",))
    keys: list[str] = []
    with running_site(site) as url:
        rest = "metadataPrefix=oai_dc"
        for _ in range(20):
            root = got(f"{url}/oai?verb={verb}&{rest}")
            keys += root.xpath("//header/identifier/text()").getall()
            token = root.xpath("//resumptionToken")
            assert token.attrib["completeListSize"] == str(len(CORPUS))
            if not (text := token.xpath("string()").get()):
                break
            rest = f"resumptionToken={text}"
    assert keys == [f"oai:simulated:d<{n}>" for n in range(len(CORPUS))]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ("verb=Nothing", "badVerb"),
        ("", "badVerb"),
        ("verb=ListRecords", "cannotDisseminateFormat"),
        ("verb=ListRecords&resumptionToken=x", "badResumptionToken"),
        ("verb=ListRecords&resumptionToken=9999999", "noRecordsMatch"),
    ],
)
def test_oai_pmh_names_its_errors(asked: str, code: str) -> None:
    """A malformed request gets the protocol's error code."""
    site = website_with(Searcher(CORPUS), CORPUS, ("oai-pmh",))
    with running_site(site) as url:
        assert got(f"{url}/oai?{asked}").xpath("//error/@code").get() == code
