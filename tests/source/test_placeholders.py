"""Placeholder pages served for many documents, and documents that really are alike."""

import pytest

from longline.model import Document, Hit
from longline.source.trust.placeholders import MOSTLY, SEVERAL, Placeholders, tells

WELCOME = "Welcome. Please accept our terms to go on."


def hit(key: int | str, title: str = "", snippet: str = "") -> Hit:
    """Make a hit with its own address."""
    return Hit(str(key), f"https://x.example/{key}", title or f"Ship {chr(97 + int(key))}", snippet)


def see(
    placeholders: Placeholders, of: Hit, text: str, address: str = ""
) -> tuple[str, ...] | None:
    """Register the text received for a hit, by default from the hit's own address."""
    found = placeholders.see(of, Document(of.key, of.url, "", text), address or of.url)
    return None if found is None else found.earlier


def test_pages_that_show_their_hits_are_not_taken_back() -> None:
    """They have a text in common that says, for example, that there is no abstract."""
    placeholders = Placeholders()
    text, found = "No abstract is available.", []
    for n in range(SEVERAL + 1):
        document = Document(str(n), "", "", text)
        found.append(placeholders.see(hit(n), document, hit(n).url, lambda own=n > 0: own))
    assert found == [None, None, (("0",), True), ((), True)]


def test_a_text_that_says_nothing_of_several_hits_is_a_placeholder() -> None:
    """The third hit with the text names the two before; each later one names no others."""
    placeholders = Placeholders()
    found = [see(placeholders, hit(n), WELCOME) for n in range(SEVERAL + 2)]
    assert found == [None, None, ("0", "1"), (), ()]


def test_documents_that_really_have_the_same_text_are_kept() -> None:
    """Documents may share a text that contains the words of their hits."""
    placeholders = Placeholders()
    text = "The captain left the harbour at noon."
    for n in range(20):
        assert see(placeholders, hit(n, title="Captain and harbour"), text) is None


def test_few_among_many_that_fit_are_kept() -> None:
    """A text that fits some hits is a placeholder only if it fails for MOSTLY times as many."""
    placeholders = Placeholders()
    text = "The captain left the harbour at noon."
    for n in range(3):
        assert see(placeholders, hit(n, title="The captain"), text) is None
    others = [see(placeholders, hit(10 + n, title="Of lamps"), text) for n in range(MOSTLY * 3)]
    assert others[:-1] == [None] * (MOSTLY * 3 - 1)
    assert others[-1] == tuple(str(10 + n) for n in range(MOSTLY * 3 - 1))


def test_one_document_read_again_and_again_is_no_placeholder() -> None:
    """The same document counts once, however often it is read."""
    placeholders = Placeholders()
    assert [see(placeholders, hit(1), WELCOME) for _ in range(9)] == [None] * 9


def test_codes_and_times_make_no_other_page() -> None:
    """Pages that differ only in codes and times count as the same page."""
    placeholders = Placeholders()
    texts = [f"Not available. Reference 18a{n}x7, 10:{n:02}:31." for n in range(SEVERAL)]
    found = [see(placeholders, hit(n), text) for n, text in enumerate(texts)]
    assert found == [None, None, ("0", "1")]


def test_short_documents_that_differ_in_figures_are_kept() -> None:
    """Dividends and fines are written in fixed words."""
    placeholders = Placeholders()
    for n in range(20):
        text = f"Qtly div {n + 1}.5 cts vs {n} cts prior. Pay April {n}th."
        assert see(placeholders, hit(n), text) is None


def test_many_texts_that_several_documents_have_are_short_entries() -> None:
    """Then only a text that most documents have is a placeholder."""
    placeholders = Placeholders()
    verdicts = ["Discharged.", "Fined a shilling.", "Sent to gaol.", "Not proven.", "Transported."]
    for n in range(20):
        assert see(placeholders, hit(n), verdicts[n % 5]) is None
    walls = [Hit(f"w{n}", f"https://x.example/w{n}", f"Ship {n}") for n in range(21)]
    found = [see(placeholders, each, WELCOME) for each in walls]
    assert found[:-2] == [None] * 19
    assert found[-2] == tuple(f"w{n}" for n in range(19))
    assert found[-1] is not None


def test_an_address_that_several_were_led_to_gives_a_page_away() -> None:
    """Several hits redirected to one path are placeholders; text and query string may vary."""
    placeholders = Placeholders()
    found = [
        see(placeholders, hit(n), f"Offer of {word}", f"https://x.example/welcome?from={n}")
        for n, word in enumerate(("bread", "milk", "salt"))
    ]
    assert found == [None, None, ("0", "1")]


def test_documents_that_all_came_from_their_own_addresses_share_none() -> None:
    """Documents that differ only in their query string were not redirected, and are kept."""
    placeholders = Placeholders()
    for n in range(9):
        of = Hit(str(n), f"https://x.example/doc?id={n}", f"Ship {n}")
        assert see(placeholders, of, f"Text {chr(97 + n)}") is None


def test_documents_led_to_one_page_that_tells_of_them_are_kept() -> None:
    """A shared page that contains the words of every hit is kept."""
    placeholders = Placeholders()
    for n, word in enumerate(("deep", "sea", "web", "ice", "sand")):
        of = hit(n, title=word)
        assert see(placeholders, of, f"Of {word}.", "https://x.example/book") is None


def test_an_empty_text_is_no_text_that_is_shared() -> None:
    """Empty texts count as shared only if the hits were redirected to one address."""
    placeholders = Placeholders()
    assert [see(placeholders, hit(n), "") for n in range(9)] == [None] * 9
    found = [see(placeholders, hit(n), "", "https://x.example/login") for n in range(SEVERAL)]
    assert found[-1] == ("0", "1")


@pytest.mark.parametrize(
    ("title", "snippet", "expected"),
    [
        ("deep sea web", "", True),  # one word of three
        ("deep sea web ice", "", False),  # one word of four
        ("lamp", "a web", True),
        ("lamp", "oil", False),
        ("", "", False),
    ],
)
def test_a_text_tells_of_its_hit_by_a_third_of_its_words(
    title: str, snippet: str, expected: bool
) -> None:
    """A text fits its hit with a third of the words of title or snippet, or more."""
    of = Hit("1", title=title, snippet=snippet)
    assert tells(of, Document("1", title="lamp oil", text="A web.")) is expected


CODES = [Hit(f"{n}", f"http://x.example/doc?id={n}", f"{n}/2019") for n in range(9)]


def test_documents_led_to_addresses_of_their_own_are_kept() -> None:
    """Documents redirected to different addresses with different texts are kept."""
    placeholders = Placeholders()
    for n, of in enumerate(CODES):
        moved = of.url.replace("http:", "https:")
        assert see(placeholders, of, f"The court of {chr(97 + n)} finds.", moved) is None
