"""Test kinds of page: what is learned from examples, and the search with it."""

import itertools

import msgspec
import numpy as np
import pytest

from longline.errors import InputError
from longline.known_item.best_first.kind import (
    ExampleSite,
    Kind,
    Rates,
    fields_of,
    gain,
    train,
    traits,
)
from longline.known_item.best_first.kind_explorer import KindExplorer, Trust
from longline.known_item.explorer import Answer, Link, SitePage, explore

FILLER = [f"w{number}" for number in range(400)]
KINDS = {
    "contact": (("contact", "office"), ("contact",), ("write", "phone", "address")),
    "licence": (("licence", "term"), ("licence",), ("copyright", "permission", "free")),
}


def site(seed: int, pages: int = 60) -> dict[str, SitePage]:
    """Generate a site of topics, three links deep, with a page of each kind among the last."""
    rng = np.random.default_rng([seed, 77])
    titles: list[tuple[str, ...]] = [
        tuple(FILLER[each] for each in rng.integers(0, 400, 2)) for _ in range(pages)
    ]
    names = [str(number) for number in range(pages)]
    bodies = [tuple(FILLER[each] for each in rng.integers(0, 400, 50)) for _ in range(pages)]
    urls = list(titles)
    for place, (title, url, body) in zip((pages - 1, pages - 2), KINDS.values(), strict=True):
        titles[place], urls[place] = title, url
        bodies[place] += body
    links: dict[int, list[Link]] = {number: [] for number in range(pages)}
    for number in range(1, pages):
        parent = int(rng.integers(0, min(number, 12)))
        links[parent].append(Link(names[number], titles[number][:1], (), urls[number]))
        links[number].append(Link("0", ("home",)))
    return {
        names[n]: SitePage(names[n], (*titles[n], *bodies[n]), tuple(links[n]), titles[n])
        for n in range(pages)
    }


def target(kind: str, pages: int = 60) -> str:
    return str(pages - 1 - list(KINDS).index(kind))


def learned(kind: str, sites: int = 4) -> Kind:
    return train(
        [
            ExampleSite(tuple(site(seed).values()), frozenset({target(kind)}))
            for seed in range(sites)
        ]
    )


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_of_a_kind_is_found_on_other_sites(kind: str) -> None:
    """On ten new sites it is right nine times, and confident only when right."""
    known = learned(kind)
    answers = [explore(KindExplorer(known, "0"), site(seed)) for seed in range(100, 110)]
    assert sum(answer.key == target(kind) for answer in answers) >= 9
    assert np.mean([answer.downloads for answer in answers]) <= 20
    assert all(answer.key == target(kind) for answer in answers if answer.confidence > 0.9)


def test_impatience_takes_fewer_downloads() -> None:
    """With less patience it never downloads more pages."""
    known = learned("contact", sites=1)
    patient, impatient = (
        [explore(KindExplorer(known, "0", trust), site(seed)).downloads for seed in range(100, 110)]
        for trust in (Trust(), Trust(sure=0.5, patience=1.0, grace=2))
    )
    assert all(few <= many for few, many in zip(impatient, patient, strict=True))


def test_a_kind_that_a_site_lacks_is_not_sure() -> None:
    """If the page is missing, the confidence in another one is below 0.3."""
    known = learned("contact")
    for seed in range(100, 106):
        pages = site(seed)
        del pages[target("contact")]
        assert explore(KindExplorer(known, "0"), pages).confidence < 0.3


def test_the_words_of_the_name_come_first() -> None:
    """Words shared by the examples' titles, addresses and links are the most informative."""
    assert learned("contact").words[0] == "contact"
    assert learned("licence").words[0] == "licence"
    assert "phone" in learned("contact").body


def test_a_word_of_one_example_is_not_of_the_kind() -> None:
    """Body words must be in two examples, unless there is only one."""
    assert not set(FILLER[:1]) & learned("contact", 4).body.keys()
    one = learned("contact", 1)
    assert {"write", "phone", "address"} <= one.body.keys() | set(one.words)


def test_a_kind_travels_as_json() -> None:
    """A learned kind survives a JSON round trip, and finds the same."""
    known = learned("contact")
    again = msgspec.json.decode(msgspec.json.encode(known), type=Kind)
    assert again == known
    assert explore(KindExplorer(again, "0"), site(100)) == explore(
        KindExplorer(known, "0"), site(100)
    )


def test_examples_need_no_site_around_them() -> None:
    """A page and the links to it are enough to learn from."""
    page = SitePage("c", ("write", "to", "us"), title=("contact",))
    link = Link("c", ("contact",), url=("contact",))
    known = train([ExampleSite((page,), frozenset({"c"}), (link,))])
    assert known.words[0] == "contact"
    assert explore(KindExplorer(known, "0"), site(100)).key == target("contact")


@pytest.mark.parametrize(
    "sites",
    [
        [],
        [ExampleSite((SitePage("a", ()),), frozenset())],
        [ExampleSite((SitePage("a", ()),), frozenset({"b"}))],
    ],
)
def test_what_cannot_be_learned_from_is_bad_input(sites: list[ExampleSite]) -> None:
    """No example, or an example that does not exist, is refused."""
    with pytest.raises(InputError):
        train(sites)


def test_rates_lie_between_nothing_and_all() -> None:
    """No rate is 0 or 1, so that one missing word never decides alone."""
    known = learned("contact")
    every = itertools.chain(
        known.body.values(),
        known.traits.values(),
        *(each.values() for each in known.names.values()),
    )
    for rate in every:
        assert 0 < rate.kind < 1
        assert 0 < rate.any < 1
        assert gain(rate) >= 0


def test_gain_grows_with_the_difference() -> None:
    """A word that is always in the kind's names and nowhere else is most informative."""
    assert gain(Rates(0.9, 0.01)) > gain(Rates(0.9, 0.2)) > gain(Rates(0.3, 0.2)) > 0


def test_no_page_is_asked_for_twice_and_the_budget_is_kept() -> None:
    """No key is repeated and the budget is kept, also if pages fail."""
    pages = {key: page for key, page in site(100).items() if int(key) % 3}
    pages["0"] = site(100)["0"]
    hound, asked = KindExplorer(learned("licence", 1), "0", budget=9), []
    while not isinstance(wanted := hound.next(), Answer):
        asked.append(wanted)
        if wanted in pages:
            hound.tell(pages[wanted])
        else:
            hound.fail(wanted)
    assert len(set(asked)) == len(asked) == wanted.downloads <= 9


def test_nothing_at_all_is_no_answer() -> None:
    """If even the start page fails, there is no answer."""
    assert explore(KindExplorer(learned("contact", 1), "0"), {}) == Answer(None, 0.0, 1)


def test_a_redirect_is_one_page() -> None:
    """A page received under another key is answered with its own key."""
    pages = {
        "s": SitePage("s", ("home",), (Link("old", ("contact",)), Link("n", ("news",)))),
        "old": SitePage("new", ("write", "phone"), title=("contact", "office")),
        "n": SitePage("n", ("news",), (Link("new", ("contact",)),)),
    }
    assert explore(KindExplorer(learned("contact"), "s"), pages).key == "new"


def test_fields_come_from_page_and_links() -> None:
    """Title and heading are one field; anchors and addresses come from the links."""
    page = SitePage("c", ("a", "a", "b"), title=("t",), heading=("h",))
    fields = fields_of(page, [Link("c", ("l",), url=("u",)), Link("c", ("m",))])
    assert fields["title"] == {"t", "h"}
    assert fields["anchor"] == {"l", "m"}
    assert fields["url"] == {"u"}
    assert fields["body"] == {"a", "b"}
    assert fields["trait"] == traits(page)


def test_marks_tell_long_from_short() -> None:
    """A longer page has every length trait that a shorter one has."""
    short, long = (traits(SitePage("a", tuple(FILLER[:size]))) for size in (30, 300))
    assert {each for each in short if each.startswith("words")} < long
