"""Steer harvests that run: by functions, from a page, and with somebody else being told."""

from longline.api.steering.notify import notifying
from longline.api.steering.page import serve_dashboard
from longline.api.steering.steer import pause, resume, set_budget, standing, stop
from longline.harvester import Standing
