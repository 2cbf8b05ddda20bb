"""Links, buttons and forms in malformed pages."""

from contextlib import suppress
from pathlib import Path
from random import Random

from lxml import etree
from tests.fuzz.mutate import Mutator
from tests.fuzz.target import Target

from longline.errors import PageError
from longline.model import Response
from longline.source import follow, parse, submit

SEEDS = (
    b"<form action=/s method=post accept-charset='latin1 utf-8'><input name=q value=x><input type=hidden name=s>"
    b"<select name=a><option value=1>x<option selected>y</select><textarea name=t>z</textarea>"
    b"<input type=submit name=next value=Next><button name=more>More</button></form><a rel=next href='?p=2'>2</a>",
    b"<a href=\"javascript:__doPostBack('ctl$next','')\">Next</a><form id=f method=post action='./'>"
    b"<input type=hidden name=__VIEWSTATE value=abc></form><input type=image form=f name=go>",
    b"<base href='https://x.example/b/'><ul><li class=disabled><a href='/3'>3</a></li></ul><link rel=next href='a b'>",
)
WORDS = (
    *(
        b"<form>",
        b"</form>",
        b"<form action='",
        b"action='http://['",
        b"action=''",
        b"action='javascript:x'",
    ),
    *(
        b"method=get",
        b"method=dialog",
        b"method=''",
        b"enctype='multipart/form-data'",
        b"enctype=text/plain",
    ),
    *(
        b"accept-charset='x, utf-16'",
        b"accept-charset=utf-7",
        b"formaction='//['",
        b"formmethod=x",
        b"form=f",
    ),
    *(
        b"<input type=file name=f>",
        b"<input type=image>",
        b"<input type=radio name=r checked>",
        b"name=''",
    ),
    *(
        b"<select multiple name=m>",
        b"<option>",
        b"<optgroup>",
        b"<label>",
        b"<fieldset disabled>",
        b"value='\xff'",
    ),
    *(
        b"href='//['",
        b"href='http://x:99999/'",
        b"href='#'",
        b"href='#!/2'",
        b"<base href='//['>",
        b"<base>",
    ),
    *(
        b"__doPostBack('",
        b"__doPostBack('a','b')",
        b"disabled",
        b"aria-disabled=true",
        b"<a>",
        b"'",
        b">",
        b"<",
    ),
    *(b"&#0;", b"&#xD800;", b"&#10;", b"\0", b"<svg>", b"<table><form>", b"<!--"),
)
URL = "https://x.example/search?q=deep"


def make(rng: Random, _vectors: Path | None) -> bytes:
    """Draw a page with links and forms."""
    return Mutator(rng, SEEDS, WORDS).case()


def check(body: bytes) -> None:
    """Following any link or button gives a web request, None, or `PageError`."""
    try:
        answer = parse(Response(url=URL, status=200, body=body), "html")
    except PageError:
        return
    for found in answer.root.xpath("//a|//button|//input|//form|//li|//a/@href")[:40]:
        with suppress(PageError):
            request = follow(found, answer)
            assert request is None or request.url.startswith(("http://", "https://"))
        if isinstance(found.root, etree._Element) and found.root.tag == "form":
            with suppress(PageError):
                submit(found.root, answer, data={"q": "\u0259 x"})


TARGET = Target("links", make, check)
