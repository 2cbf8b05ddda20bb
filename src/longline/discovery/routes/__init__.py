"""Find ways to a source's documents other than its search page."""

from longline.discovery.routes.dates_listed import Dated, listed_dates
from longline.discovery.routes.index_files import (
    MOST_SCRIPTS,
    Place,
    chunks_in,
    index_places,
    places_anywhere,
    scripts_in,
)
from longline.discovery.routes.route_finder import OAI_PATHS, Offer, RouteFinder
from longline.discovery.routes.site_offers import feeds_in, html_of, oai_bases_in, sitemap_lines
