"""Texts of made-up search sites, in several languages."""

# ruff: noqa: E501, RUF001  (one line per sentence; other scripts are intended)

from dataclasses import dataclass


@dataclass(frozen=True)
class Phrases:
    """The words of one language.

    Attributes:
        counts: Sentences with the total {n}; {a} and {b} are the first and last hit shown.
        of_pages: Sentence with the page {p} of {P}.
        about: Sentence with a rounded total.
        floor: Sentence with a total that is only a lower bound.
        cut: Sentence for an answer that the return limit {k} cuts.
        none: Sentences for no hits.
    """

    search: str
    next: str
    back: str
    read: str
    latest: str
    popular: str
    related: str
    sort: str
    more: str
    counts: tuple[str, ...]
    of_pages: str
    about: str
    floor: str
    cut: str
    none: tuple[str, ...]
    intro: str


def _phrases(
    names: str, counts: str, of_pages: str, about: str, floor: str, cut: str, none: str, intro: str
) -> Phrases:
    return Phrases(
        *names.split("|"), tuple(counts.split("|")), of_pages, about, floor, cut,
        tuple(none.split("|")), intro,
    )  # fmt: skip


PHRASES = {
    "en": _phrases(
        "Search|Next|Previous|Read more|Latest entries|Most popular|Related searches|Sort by|Load more",
        "{n} results|Results {a}-{b} of {n}|Showing {a} to {b} of {n} entries|Your search returned {n} records|{n} hits found|Displaying {b} out of {n}|We found {n} matches for you|Items {a} – {b} / {n}",
        "Page {p} of {P}",
        "About {n} results",
        "More than {n} results",
        "Only the first {k} results are shown.",
        "No results found|Sorry, nothing matched your search|Your search did not match any documents|0 results|There are no items to show",
        "This collection holds notes and papers about many subjects. Type a few words to begin.",
    ),
    "de": _phrases(
        "Suchen|Weiter|Zurück|Weiterlesen|Neueste Einträge|Meistgelesen|Verwandte Suchen|Sortieren nach|Mehr laden",
        "{n} Treffer|Treffer {a}-{b} von {n}|Ergebnisse {a} bis {b} von insgesamt {n}|Es wurden {n} Dokumente gefunden|{n} Ergebnisse|Anzahl: {n}",
        "Seite {p} von {P}",
        "Etwa {n} Ergebnisse",
        "Mehr als {n} Treffer",
        "Es werden nur die ersten {k} Treffer angezeigt.",
        "Keine Treffer gefunden|Ihre Suche ergab leider keine Ergebnisse|Es wurde nichts gefunden|0 Treffer",
        "Diese Sammlung enthält Beiträge zu vielen Themen. Geben Sie einige Wörter ein.",
    ),
    "fr": _phrases(
        "Rechercher|Suivant|Précédent|Lire la suite|Derniers articles|Les plus lus|Recherches associées|Trier par|Afficher plus",
        "{n} résultats|Résultats {a} à {b} sur {n}|{n} documents trouvés|{n} réponses|Il y a {n} notices",
        "Page {p} sur {P}",
        "Environ {n} résultats",
        "Plus de {n} résultats",
        "Seuls les {k} premiers résultats sont affichés.",
        "Aucun résultat|Aucun document ne correspond à votre recherche|Désolé, rien n'a été trouvé|0 résultat",
        "Cette collection rassemble des notices sur beaucoup de sujets. Saisissez quelques mots.",
    ),
    "es": _phrases(
        "Buscar|Siguiente|Anterior|Leer más|Últimas entradas|Lo más visto|Búsquedas relacionadas|Ordenar por|Cargar más",
        "{n} resultados|Resultados {a} a {b} de {n}|Se han encontrado {n} registros|{n} documentos|Mostrando {a} - {b} de {n}",
        "Página {p} de {P}",
        "Aproximadamente {n} resultados",
        "Más de {n} resultados",
        "Solo se muestran los primeros {k} resultados.",
        "No se encontraron resultados|Su búsqueda no produjo resultados|Ningún documento coincide|0 resultados",
        "Esta colección reúne notas sobre muchos temas. Escriba algunas palabras para empezar.",
    ),
    "it": _phrases(
        "Cerca|Successivo|Precedente|Leggi tutto|Ultimi articoli|I più letti|Ricerche correlate|Ordina per|Carica altri",
        "{n} risultati|Risultati {a}-{b} di {n}|Trovati {n} documenti|{n} schede trovate",
        "Pagina {p} di {P}",
        "Circa {n} risultati",
        "Oltre {n} risultati",
        "Sono mostrati solo i primi {k} risultati.",
        "Nessun risultato|La ricerca non ha prodotto risultati|Nessun documento trovato",
        "Questa raccolta contiene note su molti argomenti. Scrivi alcune parole per iniziare.",
    ),
    "nl": _phrases(
        "Zoeken|Volgende|Vorige|Lees meer|Nieuwste berichten|Meest gelezen|Verwante zoekopdrachten|Sorteren op|Meer laden",
        "{n} resultaten|{a} tot {b} van {n} resultaten|Er zijn {n} documenten gevonden|Aantal treffers: {n}",
        "Pagina {p} van {P}",
        "Ongeveer {n} resultaten",
        "Meer dan {n} resultaten",
        "Alleen de eerste {k} resultaten worden getoond.",
        "Geen resultaten gevonden|Uw zoekopdracht leverde niets op|0 resultaten",
        "Deze verzameling bevat stukken over veel onderwerpen. Typ enkele woorden om te beginnen.",
    ),
    "pl": _phrases(
        "Szukaj|Następna|Poprzednia|Czytaj dalej|Najnowsze wpisy|Najpopularniejsze|Podobne wyszukiwania|Sortuj według|Pokaż więcej",
        "Znaleziono {n} wyników|Wyniki {a}-{b} z {n}|Liczba wyników: {n}|{n} dokumentów",
        "Strona {p} z {P}",
        "Około {n} wyników",
        "Ponad {n} wyników",
        "Pokazano tylko pierwsze {k} wyników.",
        "Brak wyników|Nie znaleziono żadnych dokumentów|Nic nie znaleziono",
        "Ten zbiór zawiera teksty na wiele tematów. Wpisz kilka słów, aby zacząć.",
    ),
    "ru": _phrases(
        "Поиск|Следующая|Предыдущая|Читать далее|Последние записи|Популярное|Похожие запросы|Сортировать|Показать ещё",
        "Найдено {n} документов|Результаты {a}–{b} из {n}|Всего найдено: {n}|{n} результатов",
        "Страница {p} из {P}",
        "Около {n} результатов",
        "Более {n} результатов",
        "Показаны только первые {k} результатов.",
        "Ничего не найдено|По вашему запросу ничего не найдено|Нет результатов",
        "Это собрание текстов на разные темы. Введите несколько слов для поиска.",
    ),
    "ja": _phrases(
        "検索|次へ|前へ|続きを読む|新着情報|人気の記事|関連キーワード|並べ替え|もっと見る",
        "{n}件見つかりました|{n} 件中 {a} - {b} 件を表示|検索結果 {n} 件|全{n}件",
        "{p} / {P} ページ",
        "約 {n} 件",
        "{n} 件以上",
        "最初の{k}件のみ表示しています。",
        "見つかりませんでした|該当する結果はありません|0件",
        "このサイトには色々な文書があります。単語を入力して検索してください。",
    ),
    "el": _phrases(
        "Αναζήτηση|Επόμενη|Προηγούμενη|Περισσότερα|Πρόσφατα|Δημοφιλή|Σχετικές αναζητήσεις|Ταξινόμηση|Φόρτωση",
        "{n} αποτελέσματα|Αποτελέσματα {a} έως {b} από {n}|Βρέθηκαν {n} εγγραφές",
        "Σελίδα {p} από {P}",
        "Περίπου {n} αποτελέσματα",
        "Πάνω από {n} αποτελέσματα",
        "Εμφανίζονται μόνο τα πρώτα {k} αποτελέσματα.",
        "Δεν βρέθηκαν αποτελέσματα|Κανένα αποτέλεσμα",
        "Η συλλογή αυτή περιέχει κείμενα για πολλά θέματα.",
    ),
    "ar": _phrases(
        "بحث|التالي|السابق|اقرأ المزيد|أحدث المقالات|الأكثر قراءة|عمليات بحث ذات صلة|ترتيب|المزيد",
        "{n} نتيجة|عرض {a} إلى {b} من {n}|تم العثور على {n} وثيقة",
        "صفحة {p} من {P}",
        "حوالي {n} نتيجة",
        "أكثر من {n} نتيجة",
        "يتم عرض أول {k} نتيجة فقط.",
        "لا توجد نتائج|لم يتم العثور على شيء",
        "تحتوي هذه المجموعة على نصوص حول مواضيع كثيرة.",
    ),
}

CHARSETS = {
    "de": ("iso-8859-1", "windows-1252"),
    "fr": ("iso-8859-1", "windows-1252"),
    "es": ("iso-8859-1", "windows-1252"),
    "it": ("iso-8859-1",),
    "nl": ("windows-1252",),
    "en": ("iso-8859-1",),
    "pl": ("iso-8859-2", "windows-1250"),
    "ru": ("windows-1251", "koi8-r"),
    "ja": ("euc-jp", "shift_jis"),
    "el": ("iso-8859-7",),
    "ar": ("windows-1256",),
}
"""Encodings that sites in a language used before UTF-8."""
