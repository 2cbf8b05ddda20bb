"""Which query next: thinkers that choose, and are told what came."""
