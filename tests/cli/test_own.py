"""Headers, cookies, keys and contacts: sent only to the source's origin, never written."""

import base64
import gzip
import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from tests.cli.conftest import Run

from longline.simulate import running_site

HEADER = "h34d3r/s3cr3t+value=="
COOKIE = "c00k1e-s3cr3t-value"
KEY = "k3y&s3cr3t/9f1a"
SECRETS = (HEADER, COOKIE, KEY)
WORDS = ("stone", "cloud", "river", "harbour", "lantern")
DOCUMENTS = 30
WARC = ("--warc",) if find_spec("warcio") else ()

SPEC = """
[source]
name = "own"
url = "{url}/"
[ask]
url = "{url}/search?q={{query}}&api_key={{key}}"
key = "env:OWN_KEY"
[ask.headers]
X-Own-Key = "env:OWN_KEY"
[results]
hit = "li"
link = "a"
[document]
text = "article"
[fields.sent]
row = "b"
"""


def forms(secret: str) -> set[bytes]:
    """Return the forms of a secret: plain, in URLs, in JSON, in base 64 at any offset."""
    written = {secret, quote(secret), quote(secret, safe=""), quote_plus(secret)}
    written |= {json.dumps(secret)[1:-1], secret.replace("&", "&amp;")}
    found = {form.encode() for form in written} | {secret[:9].encode()}
    for shift in range(3):
        coded = base64.b64encode(b"x" * shift + secret.encode())
        # The first and the last letters also encode neighbouring bytes.
        inner = coded[4 * (shift > 0) + 1 : -4]
        found |= {inner, inner.replace(b"+", b"-").replace(b"/", b"_")}
    return found


def leaks(folder: Path) -> list[tuple[str, bytes]]:
    """Return each file of a folder that holds a secret, with the form found."""
    found = []
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    for path in files:
        body = path.read_bytes()
        body = gzip.decompress(body) if path.suffix == ".gz" else body
        found += [(path.name, form) for each in SECRETS for form in forms(each) if form in body]
    return found


def content(number: int) -> str:
    return f"{WORDS[number % 5]} {chr(97 + number % 26) * 5} {chr(98 + number % 24) * 7} text"


class Site:
    """A site that requires header, cookie and key, repeats them, and redirects elsewhere."""

    def __init__(self) -> None:
        self.elsewhere = ""
        self.seen: list[Request] = []
        routes = [
            Route("/search", self.search),
            Route("/doc/{number}", self.document),
            Route("/away/{number}", self.away),
        ]
        self.app = Starlette(routes=routes)

    def is_let_in(self, request: Request) -> bool:
        sent = request.headers, request.cookies
        return sent[0].get("x-mine") == HEADER and sent[1].get("session") == COOKIE

    async def search(self, request: Request) -> Response:
        self.seen.append(request)
        keys = {request.query_params.get("api_key"), request.headers.get("x-own-key")}
        if not self.is_let_in(request) or keys != {KEY}:
            return PlainTextResponse("no", 403)
        typed = request.query_params["q"].lower()
        found = [n for n in range(DOCUMENTS) if typed in content(n)]
        repeated = f"{HEADER} {quote(HEADER)} {base64.b64encode(HEADER.encode()).decode()}"
        rows = [
            f'<li><a href="/{"away" if n % 10 == 9 else "doc"}/{n}?k={quote(KEY, safe="")}">'
            f"{content(n)}</a> <b>{repeated} {COOKIE}</b>"
            for n in found
        ]
        return HTMLResponse(f"<ul>{''.join(rows)}</ul>" if rows else "<p>Nothing")

    async def document(self, request: Request) -> Response:
        self.seen.append(request)
        if not self.is_let_in(request):
            return PlainTextResponse("no", 403)
        number = int(request.path_params["number"])
        answer = HTMLResponse(f"<article>{content(number)}, read by {HEADER} {COOKIE}</article>")
        answer.headers["X-Echo"] = HEADER
        return answer

    async def away(self, request: Request) -> Response:
        return RedirectResponse(f"{self.elsewhere}/doc/{request.path_params['number']}")


class Elsewhere:
    """Another origin to which the site redirects."""

    def __init__(self) -> None:
        self.seen: list[Request] = []
        self.app = Starlette(routes=[Route("/doc/{number}", self.document)])

    async def document(self, request: Request) -> Response:
        self.seen.append(request)
        number = int(request.path_params["number"])
        return HTMLResponse(f"<article>{content(number)} from elsewhere</article>")


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def elsewhere() -> Elsewhere:
    return Elsewhere()


@pytest.fixture
def url(site: Site, elsewhere: Elsewhere) -> Iterator[str]:
    with running_site(site.app) as address, running_site(elsewhere.app) as other:
        site.elsewhere = other
        yield address


@pytest.fixture
def options(url: str, tmp_path: Path) -> tuple[object, ...]:
    """Writes the files with the credentials; returns the options that name them."""
    (tmp_path / "source.toml").write_text(SPEC.format(url=url))
    (tmp_path / "words.txt").write_text("\n".join(WORDS))
    cookies = tmp_path / "secret" / "cookies.txt"
    cookies.parent.mkdir()
    cookies.write_text(
        "# Netscape HTTP Cookie File\n\n"
        f"#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\t{COOKIE}\n"
        "127.0.0.1\tFALSE\t/\tFALSE\t1\told\tover\n"
        "other.example\tTRUE\t/\tFALSE\t0\tsession\tof-another\n"
    )
    return (
        *("--header", f"X-Mine: {HEADER}", "--cookies", cookies, "--contact", "me@mine.example"),
        *("--allow-private", "--ignore-robots", "--no-estimate", "--strategy", "adaptive"),
        *("--words", "words.txt", "--attachments", *WARC, "-v", "--log-file", "got/log"),
    )


@pytest.mark.slow
def test_what_is_ones_own_goes_to_the_source_alone(
    run: Run, site: Site, elsewhere: Elsewhere, options: tuple[object, ...], tmp_path: Path
) -> None:
    """Header, cookie, key and contact reach the source, and no file holds any of them."""
    (tmp_path / "got").mkdir()
    command = ("harvest", "source.toml", "-o", "got", *options)
    first = run(*command, "--max-requests", 9, OWN_KEY=KEY)
    second = run(*command, OWN_KEY=KEY)
    assert first.returncode == 3, first.stderr
    assert "give what is not saved: --header 'X-Mine: VALUE' --cookies " in first.stdout
    assert second.returncode in (0, 3), second.stderr
    certificate = json.loads((tmp_path / "got" / "certificate.json").read_text())
    assert certificate["documents"] == DOCUMENTS
    agents = {request.headers["user-agent"] for request in site.seen}
    assert all(agent.endswith("contact: me@mine.example)") for agent in agents)
    assert all(site.is_let_in(request) for request in site.seen)
    assert "old" not in {name for request in site.seen for name in request.cookies}

    assert len(elsewhere.seen) == DOCUMENTS // 10
    for request in elsewhere.seen:
        sent = str(request.headers.raw) + str(request.url)
        assert not any(secret[:9] in sent for secret in SECRETS)
        assert "mine.example" not in sent

    printed = [first.stdout + first.stderr + second.stdout + second.stderr]
    for name in ("jsonl", "csv"):
        done = run("export", "got", "--to", name, "-o", f"got/{name}")
        assert done.returncode == 0, done.stderr
    for command_ in (("status", "got"), ("doctor", "got"), ("export", "got")):
        done = run(*command_)
        printed.append(done.stdout + done.stderr)
    (tmp_path / "got" / "printed").write_text("".join(printed))
    assert leaks(tmp_path / "got") == []
    for file in ("harvest.db", "certificate.json", "log", "source.toml", "jsonl"):
        assert b"mine.example" not in (tmp_path / "got" / file).read_bytes()
    warcs = [path for path in (tmp_path / "got").rglob("*.warc*") if path.is_file()]
    assert bool(warcs) == bool(WARC)
    for path in warcs:
        body = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        assert b"mine.example" not in body
    # Documents hold the placeholder in place of the secret.
    assert "~secret." in (tmp_path / "got" / "jsonl").read_text()


@pytest.mark.slow
def test_a_run_without_them_is_refused_and_says_so(
    run: Run, options: tuple[object, ...], tmp_path: Path
) -> None:
    """Credentials are not saved: a later run without the header is refused by the source."""
    command = ("harvest", "source.toml", "-o", "got", *options)
    (tmp_path / "got").mkdir()
    assert run(*command, "--max-requests", 6, OWN_KEY=KEY).returncode == 3
    done = run("harvest", "got", "--allow-private", "--ignore-robots", OWN_KEY=KEY)
    assert done.returncode == 3
    certificate = json.loads((tmp_path / "got" / "certificate.json").read_text())
    assert certificate["documents"] > 0
    assert certificate["outcome"] in ("blocked", "partial")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("--header", "no colon"), "no name and colon"),
        (("--header", "Host: x.example"), "cannot be sent"),
        (("--header", "X-Bad name: y"), "cannot be sent"),
        (("--cookies", "nowhere.txt"), "cannot read cookies"),
        (("--cookies", "words.txt"), "line 1"),
        (("--cookies", "empty.txt"), "holds no cookie"),
        (("--proxy", "socks5://127.0.0.1:1"), "HTTP proxy"),
        (("--contact", "a\nb"), "header cannot hold"),
    ],
)
def test_what_cannot_be_sent_is_refused(
    run: Run, options: tuple[object, ...], tmp_path: Path, given: tuple[str, str], says: str
) -> None:
    """An invalid header, cookie file, proxy or contact gives exit code 2."""
    (tmp_path / "empty.txt").write_text("# nothing\n")
    done = run("harvest", "source.toml", "-o", "got", "--allow-private", *given, OWN_KEY=KEY)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert "no colon" not in done.stderr


def test_a_key_that_is_not_set_is_named(run: Run, options: tuple[object, ...]) -> None:
    """The variable of `key` is named before any request is sent."""
    done = run("harvest", "source.toml", "-o", "got", *options[:-2])
    assert done.returncode == 2
    assert "OWN_KEY" in done.stderr


def test_discovery_sends_them_and_writes_none(
    run: Run, site: Site, options: tuple[object, ...], url: str, tmp_path: Path
) -> None:
    """`discover` sends the credentials too, and the spec it writes holds none."""
    out = tmp_path / "learnt"
    out.mkdir()
    own = options[:6]
    run("discover", f"{url}/search?q=stone", "--allow-private", *own, "-o", "learnt/source.toml")
    assert site.seen
    assert all(request.headers.get("x-mine") == HEADER for request in site.seen)
    if list(out.iterdir()):
        assert leaks(out) == []


class Proxy:
    """A forward proxy for plain HTTP that answers itself and records its requests."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def __call__(self, scope, receive, send) -> None:  # type: ignore[no-untyped-def]
        if scope["type"] == "http":
            self.asked.append(scope["raw_path"].decode())
            body = "".join(f"<li><a href='/doc/{n}'>{content(n)}</a>" for n in range(10))
            if "/doc/" in scope["path"]:
                body = f"<article>{content(int(scope['path'].rpartition('/')[2]))}</article>"
            start = {"type": "http.response.start", "status": 200}
            await send({**start, "headers": [(b"content-type", b"text/html")]})
            await send({"type": "http.response.body", "body": body.encode()})


@pytest.mark.slow
def test_a_proxy_is_asked_in_the_place_of_the_source(run: Run, tmp_path: Path) -> None:
    """With --proxy all requests go to the proxy; private addresses still need permission."""
    spec = SPEC.replace("&api_key={{key}}", "").replace('key = "env:OWN_KEY"\n', "")
    spec = spec.replace('[ask.headers]\nX-Own-Key = "env:OWN_KEY"\n', "")
    (tmp_path / "source.toml").write_text(spec.format(url="http://127.0.0.1:9"))
    (tmp_path / "words.txt").write_text("\n".join(WORDS))
    proxy = Proxy()
    with running_site(proxy) as address:  # type: ignore[arg-type]
        asked = ("--proxy", address.replace("http://", "http://me:pr0xy-s3cr3t@"))
        common = ("--ignore-robots", "--no-estimate", "--words", "words.txt")
        common = (*common, "--strategy", "adaptive", "--max-requests", "15")
        done = run("harvest", "source.toml", "-o", "no", *asked, *common)
        assert done.returncode == 2
        assert "private" in done.stderr
        assert not proxy.asked
        done = run("harvest", "source.toml", "-o", "got", "--allow-private", *asked, *common)
    assert done.returncode in (0, 3), done.stderr
    assert proxy.asked
    certificate = json.loads((tmp_path / "got" / "certificate.json").read_text())
    assert certificate["documents"] == 10
    for path in (tmp_path / "got").iterdir():
        assert b"pr0xy-s3cr3t" not in path.read_bytes()
