"""Explanations of the words used in reports: one list for the report, the pages and the docs."""

MEANINGS = {
    "outcome": "how the harvest ended: complete, or why not",
    "saved": "documents that are in the harvest's folder",
    "total": "how many documents the source has: as somebody told it, or as it is estimated",
    "estimate": "the total as test searches show it, where somebody told another",
    "duplicates": "documents with the same text as one that came before",
    "texts": "documents that are saved without a whole text: what result pages show, or the title",
    "coverage": "the share of all documents that is saved",
    "repeats": "results that had come before; with r repeats each document came 1 + r times",
    "languages": "languages of the documents that are saved",
    "search": "words that were sent to the source's search box",
    "test search": "a search for a random word, sent only to estimate the total",
    "cost": "what was sent to the source: searches, result pages, and pages of documents",
    "tests": "test searches, and what they cost and brought",
    "budget": "what the harvest was allowed to use, and has used",
    "forecast": "what will be saved after further requests, with an interval that holds in 90 of "
    "100 cases",
    "fields": "what documents have besides title and text, such as dates, and the share of "
    "documents that has each",
    "files": "files that belong to documents and were saved with them",
    "update": "how the documents stand to those of the harvest before: new, changed, unchanged, "
    "gone",
    "failed": "documents that were listed but could not be read",
    "gone": "documents that the source lists, and says are not there any more",
    "not saved": "documents that are files, and pages that came in the place of many documents, "
    "such as a login",
    "doubtful": "answers that were empty or incomplete when all others were, too",
    "layouts": "documents whose pages have no text where others have theirs",
    "forbidden": "documents that robots.txt, or a private address, keeps out",
    "left out": "other searches of the same site, with other documents",
    "linked": "documents that only links on saved pages showed",
    "unfinished": "searches with further pages that were not asked for",
    "cut": "searches that show only a part of their results",
    "word forms": "forms of a word, such as ship and ships, that the source takes for one",
    "lost": "results that repeat or vanish between the pages of one search",
    "odd": "answers that do not add up",
    "stopped": "why the last run ended, and how to go on",
    "reported": "results that the source says a search has",
    "received": "results that came",
    "new": "documents that came for the first time",
    "request": "one question sent to the site over the network",
}
"""By word."""
