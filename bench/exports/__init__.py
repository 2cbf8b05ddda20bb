"""How fast exports are, and how much memory they use."""
