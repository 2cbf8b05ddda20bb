"""The pages of the dashboard: they show the harvests, with buttons for actions."""

from longline.dashboard.pages.fleet import fleet_page
from longline.dashboard.pages.harvest import harvest_page
from longline.dashboard.pages.new import new_page
from longline.dashboard.pages.overview import overview_page
