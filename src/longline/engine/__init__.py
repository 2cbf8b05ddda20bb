"""The one loop: ask a thinker, use a hand, tell the thinker; bear with what fails."""

from longline.engine.engine import QUERIES_WITHOUT_A_HIT, Conclude, Engine, Judge, Observer

__all__ = ["QUERIES_WITHOUT_A_HIT", "Conclude", "Engine", "Judge", "Observer"]
