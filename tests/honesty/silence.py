"""Faults that look like true answers: no results, other pages, wrong totals."""

from bench.faulty.lies import ClampedTotals, GrowingTotals, PageTotals, RoundedTotals, ScaledTotals
from tests.honesty import wire
from tests.honesty.lies import (
    LongQueriesCut,
    Nothing,
    PopularList,
    SamePage,
    always,
    sometimes,
    stub,
)
from tests.honesty.stage import Kind, When
from tests.honesty.switch import (
    BLOCKED,
    NO_DOCUMENTS,
    SILENT,
    WHOLE,
    Documents,
    Switch,
    every,
    lifted,
    some,
)
from tests.honesty.wire import CONSENT, DOCUMENTS, LOGIN, SEARCH, Wire

from longline.model import Document


def _silence(name: str, after: int) -> tuple[Switch, Switch]:
    return lifted(
        lambda runs: Switch(
            name=name,
            does=f"after {after} result pages nothing is found any more, with status 200",
            lies=(sometimes(When(after=after, runs=runs), Nothing()),),
            bound="shown",
            outcomes=SILENT,
        )
    )


def _popular(name: str, after: int) -> tuple[Switch, Switch]:
    return lifted(
        lambda runs: Switch(
            name=name,
            does=f"after {after} result pages every query shows the same ten documents",
            lies=(sometimes(When(after=after, runs=runs), PopularList()),),
            bound="shown",
            outcomes=SILENT,
        )
    )


def _instead(name: str, does: str, act: wire.Act, outcomes: frozenset[str]) -> tuple[Switch, ...]:
    """Return faults that replace documents by another page: all, some, or after a while."""
    few = some(name, 20)

    def from_one_on(runs: int) -> Switch:
        when = When(after=200, runs=runs)
        return Switch(
            name=f"{name}-from-200",
            does=f"from the 200th on, documents {does}",
            wires=(Wire(act=act, target=DOCUMENTS, when=when),),
            bound="served",
            outcomes=outcomes,
        )

    return (
        Switch(
            name=f"{name}-all",
            does=f"all documents {does}",
            wires=(Wire(act=act, target=DOCUMENTS),),
            lost=every,
            outcomes=outcomes,
        ),
        Switch(
            name=f"{name}-few",
            does=f"5 % of the documents {does}",
            wires=(Wire(act=act, target=DOCUMENTS, keys=few),),
            lost=few,
        ),
        *lifted(from_one_on),
    )


def _stubs(name: str, *, same_title: bool) -> tuple[Switch, ...]:
    few = some(name, 20)
    titled = "under their own titles" if same_title else "under one title"
    does = f"show one text, {titled}, with status 200"

    def from_one_on(runs: int) -> Switch:
        return Switch(
            name=f"{name}-from-200",
            does=f"from the 200th on, documents {does}",
            reads=(stub(When(after=200, runs=runs), same_title=same_title),),
            bound="served",
            outcomes=NO_DOCUMENTS,
        )

    return (
        Switch(
            name=f"{name}-all",
            does=f"all documents {does}",
            reads=(stub(When(), same_title=same_title),),
            lost=every,
            outcomes=NO_DOCUMENTS,
        ),
        Switch(
            name=f"{name}-few",
            does=f"5 % of the documents {does}",
            reads=(stub(When(), keys=few, same_title=same_title),),
            lost=few,
        ),
        *lifted(from_one_on),
    )


def _doubled(documents: Documents) -> Documents:
    """Give every tenth document one copy, and every thirtieth two, with other keys."""
    size = len(documents)
    twins = [_copy(each, 1) for each in documents[: size * 3 // 4 : 10]]
    twins += [_copy(each, 2) for each in documents[: size * 3 // 4 : 30]]
    return (*documents[: size - len(twins)], *twins)


def _copy(document: Document, number: int) -> Document:
    return Document(f"{document.key}.copy{number}", "", document.title, document.text)


SILENCE = (
    *_silence("soft-block-early", 30),
    *_silence("soft-block-late", 120),
    Switch(
        name="soft-block-some",
        does="12 % of result pages, at random, find nothing",
        lies=(sometimes(When(share=0.12), Nothing()),),
    ),
    *_popular("popular-list", 40),
    *_instead("welcome", "lead to a welcome page", wire.redirect("/about"), NO_DOCUMENTS),
    *_instead("login", "show a login page", wire.show("Sign in", LOGIN), BLOCKED | {"partial"}),
    *_instead(
        "consent", "show a consent page", wire.show("Before you continue", CONSENT), NO_DOCUMENTS
    ),
    *_stubs("stub", same_title=False),
    *_stubs("titled-stub", same_title=True),
    Switch(
        name="duplicates",
        does="every tenth document exists two or three times, with the same title and text",
        corpus=_doubled,
        outcomes=WHOLE,
    ),
    Switch(
        name="no-offset",
        does="every page of an answer is its first",
        lies=(always(SamePage()),),
    ),
    Switch(
        name="no-offset-uncounted",
        does="every page of an answer is its first; no totals",
        lies=(always(SamePage()),),
        kind=Kind(counts="none", boolean=False),
    ),
    Switch(
        name="no-offset-endless",
        does="every page of an answer is its first, and there is always another; no totals",
        lies=(always(SamePage(ends=False)),),
        kind=Kind(counts="none"),
    ),
    Switch(
        name="no-offset-listing",
        does="every page of the listing of everything is its first",
        lies=(always(SamePage(listings=True)),),
        kind=Kind(lists_all=True),
    ),
    Switch(
        name="no-offset-listing-uncounted",
        does="every page of the listing of everything is its first, without end and totals",
        lies=(always(SamePage(listings=True, ends=False)),),
        kind=Kind(lists_all=True, counts="none", boolean=False),
    ),
    Switch(
        name="long-queries-cut",
        does="queries of three or more terms show ten rows, and say that these are all",
        lies=(always(LongQueriesCut()),),
    ),
    Switch(
        name="pages-cut",
        does="15 % of result pages, at random, end in the middle",
        wires=(
            Wire(act=wire.spoil(wire.cut_in_half), target=SEARCH, when=When(after=1, share=0.15)),
        ),
    ),
    Switch(
        name="pages-cut-lasting",
        does="15 % of result pages, the same each time, end in the middle",
        wires=(
            Wire(
                act=wire.spoil(wire.cut_in_half),
                target=rf"{SEARCH}.*q=",
                when=When(share=0.15, lasting=True),
            ),
        ),
    ),
    Switch(
        name="pages-cut-json",
        does="15 % of result pages of an API, at random, end in the middle",
        wires=(Wire(act=wire.spoil(wire.cut_in_half), target=SEARCH, when=When(share=0.15)),),
        only="json",
        kind=Kind(form="json"),
    ),
    Switch(
        name="totals-tenfold",
        does="totals are ten times the truth",
        lies=(always(ScaledTotals(10)),),
    ),
    Switch(name="totals-half", does="totals are half the truth", lies=(always(ScaledTotals(0.5)),)),
    Switch(name="totals-clamped", does="totals end at 50", lies=(always(ClampedTotals(50)),)),
    Switch(
        name="totals-growing",
        does="totals are the rows so far, and one",
        lies=(always(GrowingTotals()),),
    ),
    Switch(
        name="totals-of-page", does="totals are the rows of the page", lies=(always(PageTotals()),)
    ),
    Switch(
        name="totals-rounded", does="totals are rounded to 100", lies=(always(RoundedTotals()),)
    ),
)
