"""A harvest in words for people: its certificate, its verdict, and what happens, line by line."""

from longline.ledger.words.in_sentences import (
    Statement,
    Step,
    headline,
    next_steps,
    verdict_in_sentences,
)
from longline.ledger.words.in_words import Line, in_words, lines, saved_of, short, worst_cut
from longline.ledger.words.log_line import Happened, happened, in_a_line
from longline.ledger.words.meanings import MEANINGS

__all__ = [
    "MEANINGS",
    "Happened",
    "Line",
    "Statement",
    "Step",
    "happened",
    "headline",
    "in_a_line",
    "in_words",
    "lines",
    "next_steps",
    "saved_of",
    "short",
    "verdict_in_sentences",
    "worst_cut",
]
