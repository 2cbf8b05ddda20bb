"""Ways to a source beside its search page."""

from longline.discovery.routes.dates_listed import Dated, listed_dates
from longline.discovery.routes.route_finder import Offer, RouteFinder

__all__ = ["Dated", "Offer", "RouteFinder", "listed_dates"]
