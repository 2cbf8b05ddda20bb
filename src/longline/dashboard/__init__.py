"""A page to watch and control harvests, on this machine."""

from longline.dashboard.app import Door, serve_dashboard
