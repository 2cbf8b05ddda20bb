"""Report a harvest in numbers, charts and a page, for people who did not watch it."""

from longline.reports.changes import changes_since
from longline.reports.course import Course
from longline.reports.figures import Figures
from longline.reports.page import Unreported, page
from longline.reports.read import Live, read_figures
