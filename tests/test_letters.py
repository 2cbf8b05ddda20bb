"""Test terms in any script."""

import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.harvests import Harvest

from longline.harvester import Limits, Settings
from longline.model import Document, Query
from longline.pool import Analyzer
from longline.simulate import Searcher, running_site
from longline.simulate.site.spec import html_spec
from longline.source import read_spec
from longline.text.letters import cut_up, letters, pairs, unspaced


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Café CAFÉ cafe\u0301", ["café"]),
        ("Straße ΟΔΟΣ", ["straße", "οδος"]),
        ("שלום עולם", ["שלום", "עולם"]),
        ("\u200fمكتبة\u200f عامّة", ["مكتبة", "عامّة"]),
        ("Donaudampfschifffahrt", ["donaudampfschifffahrt"]),
        ("한국어 검색", ["한국어", "검색"]),
        ("中文檢索", ["中文", "文檢", "檢索"]),
        ("字", ["字"]),
        ("字 本。語", ["字", "本", "語"]),
        ("データベースを検索", ["デー", "ータ", "タベ", "ベー", "ース", "スを", "を検", "検索"]),
        ("ค้นหา", ["ค้น", "นห", "หา"]),
        ("使用Python3語言", ["使用", "python", "語言"]),
        ("二〇二六年", ["二〇", "〇二", "二六", "六年"]),
        ("か\u3099き", ["がき"]),
        ("\U00020000\U00020001", ["\U00020000\U00020001"]),
    ],
)
def test_terms_of_every_script(text: str, terms: list[str]) -> None:
    """Accents are kept, words stay whole, and text without spaces is cut into pairs."""
    assert list(Analyzer().terms(text)) == terms


def test_pattern_of_ones_own_is_kept_to() -> None:
    """With a user-defined pattern nothing is cut into pairs."""
    assert list(Analyzer(pattern=r"\w+").terms("中文檢索 web")) == ["中文檢索", "web"]


ALPHABET = st.sampled_from("abé ß漢字かナーกิ้한שع9,語")


@settings(max_examples=100)
@given(st.text(ALPHABET, max_size=30))
def test_pairs_lose_no_letter(text: str) -> None:
    """Every letter is in a term, and every term occurs in the text."""
    text = unicodedata.normalize("NFC", text)
    found = Analyzer(stop_words=frozenset()).tokens(text)
    assert all(term in text.lower() for term in found)
    letters_ = {character for character in text.lower() if character.isalpha()}
    assert letters_ == {character for term in found for character in term if character.isalpha()}


@settings(max_examples=100)
@given(st.text(ALPHABET, max_size=30))
def test_terms_are_their_own_terms(text: str) -> None:
    """A queried term is its own only term: a source that tokenises alike finds it."""
    for term in Analyzer().terms(text):
        assert list(Analyzer().terms(term)) == [term]


def test_blocks_hold_the_scripts_they_name() -> None:
    """The blocks contain every letter of scripts without spaces, and no other letter."""
    names = ("CJK UNIFIED", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "BOPOMOFO")
    also = (
        *names,
        "CJK COMPAT",
        "KATAKANA-HIRAGANA",
        "HALFWIDTH KATAKANA",
        "IDEOGRAPHIC",
        "VERTICAL",
    )
    for number in range(0x10000):
        character = chr(number)
        if not character.isalpha():
            continue
        name = unicodedata.name(character, "")
        if name.startswith(names) and "EXTENDED" not in name and number < 0xA000:
            assert unspaced().match(character), name
        if unspaced().match(character):
            assert name.startswith(also), name


def test_words_are_not_cut() -> None:
    """Words of other scripts are returned unchanged."""
    assert cut_up(["deep", "naïve", "검색"]) == ["deep", "naïve", "검색"]
    assert pairs("검색") == ("검색",)
    assert letters()


# A grammar of sentences that a small library catalogue might contain.
_WHO = [
    "作家",
    "詩人",
    "學者",
    "記者",
    "醫師",
    "僧侶",
    "商人",
    "漁師",
    "教授",
    "画家",
    "音楽家",
    "歴史家",
    "農夫",
    "職人",
    "外交官",
]
_WHERE = [
    "京都",
    "東京",
    "上海",
    "臺北",
    "大阪",
    "奈良",
    "北海道",
    "廣東",
    "敦煌",
    "九州",
    "長安",
    "江南",
    "琉球",
    "四川",
    "瀬戸内海",
]
_WHAT = [
    "港口",
    "寺院",
    "橋梁",
    "茶道",
    "絵巻",
    "陶器",
    "書籍",
    "地図",
    "祭典",
    "織物",
    "料理",
    "建築",
    "庭園",
    "漢方",
    "古代貨幣",
]
_HOW = [
    "を記録した",
    "について書いた",
    "の研究",
    "的歷史考察",
    "與其影響",
    "の図録",
    "手稿集",
    "を訪ねて",
    "入門",
]


def sentences(count: int) -> list[Document]:
    """Make sentences in Chinese and Japanese, some with Latin words in them."""
    rng = np.random.default_rng(7)
    rare = [chr(0x4E00 + place) for place in rng.permutation(6000)]
    documents = []
    for place in range(count):
        parts = [str(rng.choice(words)) for words in (_WHERE, _WHO, _WHERE, _WHAT, _HOW)]
        own = "".join(rare[(5 * place + step) % len(rare)] for step in range(6))
        latin = f"Unicode{place % 9 * 'x'}" if place % 4 == 0 else ""
        text = f"{parts[0]}の{parts[1]}が{parts[2]}{parts[3]}{parts[4]}{latin}。{own}。"
        documents.append(Document(f"d{place}", title=parts[3] + parts[4], text=text))
    return documents


def test_pair_finds_the_documents_that_hold_it() -> None:
    """A query of two characters returns just the documents that have them side by side."""
    documents = sentences(200)
    box = Searcher(documents, limit=None, page_size=50)
    for term in ("東京", "陶器", "を記"):
        holding = {d.key for d in documents if term in d.title or term in d.text}
        assert holding
        assert set(box.keys(Query((term,)))) == holding
    whole = set(box.keys(Query(("北海道",))))
    assert whole >= {d.key for d in documents if "北海道" in d.text}


@pytest.mark.slow
def test_source_in_chinese_and_japanese_is_harvested(tmp_path: Path) -> None:
    """`auto` reaches 97 % of a site without spaces between words, starting with two words."""
    documents = sentences(600)
    box = Searcher(documents, limit=60, page_size=20)
    with running_site(box) as url:
        spec = read_spec(html_spec(box, "library", f"{url}/"))
        chosen = Settings(words=("東京", "音楽家"))
        limits = Limits(allow_private=True, size=len(documents), max_requests=2000)
        found = Harvest(tmp_path / "got", spec, chosen, limits).run()
    assert found.hit_rate is not None
    assert found.hit_rate >= 0.97
    assert found.target_met
