"""Which query next: policies that choose, and are told what came."""
