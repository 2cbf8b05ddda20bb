"""What a harvest holds: its documents, how they grow, and which texts are complete."""

from longline.ledger.held.documents import MOST_POINTS, Documents, Grown, Marks
from longline.ledger.held.linked import Linked
from longline.ledger.held.texts import GOES_ON, HeldTexts, Texts
