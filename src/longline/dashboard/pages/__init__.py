"""The pages of the dashboard: what is seen of the harvests, and buttons for what can be done."""

from longline.dashboard.pages.fleet import fleet_page
from longline.dashboard.pages.harvest import harvest_page
from longline.dashboard.pages.new import new_page
from longline.dashboard.pages.overview import overview_page
