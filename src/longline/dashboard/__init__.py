"""A page to watch harvests and to steer them, on this machine."""

from longline.dashboard.app import Door, serve_dashboard
