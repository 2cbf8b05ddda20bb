"""A harvest in words for people: its certificate, its verdict, and its events, line by line."""

from longline.ledger.words.commands import allowed, to_update
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
from longline.ledger.words.oddities import ODD_KINDS
from longline.ledger.words.of_update import most_missed
