"""Ways to a source beside its search page."""

from longline.discovery.routes.route_finder import Offer, RouteFinder

__all__ = ["Offer", "RouteFinder"]
