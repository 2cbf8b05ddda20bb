"""Readable text of wikitext, the markup of MediaWiki."""

from __future__ import annotations


def readable(wikitext: str) -> str:
    """Return what a reader sees of wikitext: no markup; of a template the values it is given.

    What only the wiki's own server could make of a template is not there, nor is mathematics.

    >>> readable("'''Ada''' wrote [[Note G|a note]]. {{by|Menabrea}} [[File:A.jpg|thumb|At home]]")
    'Ada wrote a note. Menabrea At home'
    """
    import mwparserfromhell  # it is seldom needed

    code = mwparserfromhell.parse(wikitext)
    for link in code.filter_wikilinks(recursive=False):
        if link.text is not None:
            link.text = str(link.text).rpartition("|")[2]  # before it: a picture's size and place
    return str(code.strip_code(keep_template_params=True))
