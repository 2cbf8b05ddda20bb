"""Words to try a search box with."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, zip_longest

import numpy as np

from longline.pool import DROPPED_WORDS
from longline.text.letters import cut_up, run_of_letters, unspaced
from longline.text.seed_words import SEED_WORDS

_SEEDS = {
    "de": "zeit jahr haus stadt land leben arbeit recht welt geschichte deutsch neu schule kinder",
    "fr": "temps vie histoire ville monde droit travail france nouveau guerre eau maison politique",
    "es": "tiempo vida historia ciudad mundo trabajo derecho agua guerra casa nuevo política año",
    "it": "tempo vita storia città mondo lavoro diritto acqua guerra casa nuovo politica anno",
    "nl": "tijd leven stad wereld werk recht water geschiedenis huis nieuw school kinderen jaar",
    "pt": "tempo vida história cidade mundo trabalho direito água guerra casa novo política ano",
    "sv": "tid liv stad värld arbete rätt vatten historia hus ny skola barn år",
    "da": "tid liv by verden arbejde ret vand historie hus ny skole børn år",
    "nb": "tid liv by verden arbeid rett vann historie hus ny skole barn år",
    "fi": "aika elämä kaupunki maailma työ laki vesi historia talo uusi koulu",
    "pl": "czas życie miasto świat praca prawo woda historia dom nowy szkoła rok",
    "cs": "čas život město svět práce právo voda historie dům nový škola rok",
    "ru": "время жизнь история город мир работа право вода война дом новый год человек",
    "zh": "中国 一个 可以 我们 历史 时间 世界 生活 工作 国家 学校 文化 社会 研究 年度 城市 新闻",
    "ja": "日本 こと する です 歴史 時間 世界 生活 仕事 国家 学校 文化 社会 研究 年度 都市 新聞",
    "ko": "한국 역사 시간 세계 생활 일 국가 학교 문화 사회 연구 도시 뉴스",
    "el": "χρόνος ζωή ιστορία πόλη κόσμος εργασία δίκαιο νερό πόλεμος σπίτι σχολείο έτος",
    "ar": "تاريخ حياة مدينة عالم عمل قانون ماء حرب بيت جديد مدرسة سنة",
    "he": "זמן חיים היסטוריה עיר עולם עבודה חוק מים מלחמה בית חדש שנה",
    "uk": "час життя історія місто світ робота право вода війна дім новий рік",
}
"""Common words of each language, for pages that declare their language."""

_FUNCTION_WORDS = {
    "en": "the of",
    "de": "der und",
    "fr": "de la",
    "es": "de la",
    "it": "di la",
    "nl": "de van",
    "pt": "de que",
    "sv": "och att",
    "da": "og at",
    "nb": "og det",
    "fi": "ja on",
    "pl": "na się",
    "cs": "na se",
    "ru": "на не",
    "uk": "на не",
    "el": "και το",
    "ar": "في من",
    "he": "של על",
    "zh": "的 一",
    "ja": "の に",
}
"""Words that most texts of a language contain, unless the source treats them as stop words."""

_ANYWHERE = (
    "information maria 2020 peter internet system international program radio 2015 europa museum"
)
"""Words common in texts of many languages, as a site's language may differ from its documents'.
Names are for registers of people."""

_NAMES = "smith johnson miller garcia martin lee müller brown ivanov"
"""Names of people, for search boxes that take only names."""

_LETTERS = {
    "ja": "\u3040-\u30ff",
    "ko": "\uac00-\ud7af",
    "zh": "\u4e00-\u9fff",
    "ru": "\u0400-\u04ff",
    "ar": "\u0600-\u06ff",
    "el": "\u0370-\u03ff",
    "he": "\u0590-\u05ff",
}
MOSTLY = 0.5
"""Share of a text's letters above which a script decides its language."""

_JOINED = re.compile(r"[0-9_]")
_NONSENSE = ("bcdfghjklmnpqrstvwxz", "aeiouy")

SNIPPET = 300
"""How many characters of a hit's text are used, in addition to its title."""


def nonsense(rng: np.random.Generator) -> str:
    """Return a word that no document contains.

    >>> nonsense(np.random.default_rng(0)) == nonsense(np.random.default_rng(0))
    True
    """
    letters_ = [_NONSENSE[place % 2] for place in range(9)]
    return "".join(alphabet[rng.integers(len(alphabet))] for alphabet in letters_) + "xq"


def terms(text: str, *, shortest: int = 3) -> list[str]:
    """Return the words of a text that may be queried, in order, with repeats.

    Text written without spaces is cut into pairs of characters, whatever `shortest` is.

    >>> terms("libz32dev: development files, my_name")
    ['development', 'files']
    >>> terms("図書館 of Kyoto", shortest=4)
    ['図書', '書館', 'kyoto']
    """
    lowered = text.lower()
    # A part of a name such as lib32z need not be in a source's index.
    runs = run_of_letters().finditer(lowered)
    found = [at[0] for at in runs if not _is_part(lowered, *at.span())]
    return [word for word in cut_up(found) if _may_be_asked(word, shortest)]


def _may_be_asked(word: str, shortest: int) -> bool:
    if unspaced().match(word):
        return len(word) > 1
    return shortest <= len(word) <= 20 and word not in DROPPED_WORDS


def _is_part(text: str, begin: int, end: int) -> bool:
    return bool(
        _JOINED.match(text[end : end + 1]) or _JOINED.match(text[max(begin - 1, 0) : begin])
    )


def written_in(text: str) -> str:
    """Return the language a text's script shows, or "" if several languages use that script.

    >>> written_in("Архив статей"), written_in("図書館のご案内"), written_in("Archiv")
    ('ru', 'ja', '')
    """
    letters_ = sum(map(str.isalpha, text))
    for language, range_ in _LETTERS.items():
        found = len(re.findall(f"[{range_}]", text))
        if found > (0.1 if language == "ja" else MOSTLY) * max(letters_, 1):
            return language
    return ""


def language_of(text: str, declared: str, charset: str) -> str:
    """Return a page's language by its script; for Chinese characters, the declared one first.

    >>> language_of("資料室", "ja", "utf-8"), language_of("資料室", "", "shift_jis")
    ('ja', 'ja')
    >>> language_of("Архив статей", "en", "utf-8"), language_of("資料室", "", "utf-8")
    ('ru', 'zh')
    """
    declared = "ja" if re.search(r"jis|jp|932", charset, re.IGNORECASE) else declared
    written = written_in(text)
    return declared if written == "zh" and declared else written or declared


def beginning(text: str) -> str:
    """Return the first `SNIPPET` characters of a text, cut at a word boundary."""
    return text if len(text) <= SNIPPET else text[:SNIPPET].rpartition(" ")[0]


LATE = 5
"""The place of a word that most texts contain, among words to try: some sites ignore such words."""


def first_words(
    text: str, language: str, given: Sequence[str], *, of_people: bool = False
) -> list[str]:
    """Return words to try, best first: the user's, then the site's own mixed with common ones.

    Args:
        text: Text of the site, running text before labels.
        language: As the page declares it, e.g. "de-AT"; "" if it does not.
        given: The user's words.
        of_people: Whether the search finds names of people.
    """
    own = [word for word, _ in Counter(terms(text, shortest=4)).most_common(40)]
    seeds = _SEEDS.get(language[:2].lower(), "").split()
    others = list(chain.from_iterable(zip(SEED_WORDS, _ANYWHERE.split(), strict=False)))
    # The site's own words describe its subject, but some only name its pages.
    common = chain.from_iterable(zip_longest(seeds, others)) if seeds else others
    names = _NAMES.split() if of_people else []
    mixed = chain.from_iterable(zip_longest(names, own[::2], own[1::2], common))
    found = list(dict.fromkeys([*given, *filter(None, mixed)]))
    most, next_ = function_words(language)[:2]
    return [*found[:LATE], most, *found[LATE : 2 * LATE], next_, *found[2 * LATE :]]


def function_words(language: str) -> list[str]:
    """Return words that most texts of a language contain; English ones if it is unknown.

    >>> function_words("de-AT"), function_words("")
    (['der', 'und'], ['the', 'of'])
    """
    return _FUNCTION_WORDS.get(language[:2].lower(), _FUNCTION_WORDS["en"]).split()


def shares(texts: Iterable[str]) -> dict[str, float]:
    """Return for each word the share of the texts that contain it.

    >>> shares(["deep web", "surface web"])["deep"]
    0.5
    """
    texts = list(texts)
    counts = Counter(chain.from_iterable(map(_words_of, texts)))
    return {word: count / len(texts) for word, count in counts.items()}


@lru_cache(maxsize=1 << 12)
def _words_of(text: str) -> frozenset[str]:
    # Each step needs the shares over all hits seen so far.
    return frozenset(terms(text))


def telling(pieces: Sequence[str], hits: int) -> list[str]:
    """Return up to six words to query next: in several hits, but in no more than half of them.

    Args:
        pieces: Texts of the hits.
        hits: Number of hits.

    >>> telling(["deep web", "deep sea", "deep ship web", "deep water"], 4)
    []
    >>> telling(["deeper webs", "deeper seas", "deeper ships webs", "deeper water"], 4)
    ['webs']
    """
    counts = Counter(word for piece in pieces for word in set(terms(piece, shortest=4)))
    # A word in nearly every hit is a label, such as "modified".
    most = 0.5 * max(hits, 4)
    fitting = [word for word, count in counts.items() if 2 <= count <= most]
    return sorted(fitting, key=lambda word: (-counts[word], word))[:6]
