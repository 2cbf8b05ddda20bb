from .cover import Cover as Cover, cover as cover
from .metrics import hit_rate as hit_rate, overlapping_rate as overlapping_rate
