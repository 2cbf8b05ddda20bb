"""One command per module: each reads its options, calls the package, and prints."""

from longline.cli.commands.compare import compare, strategies
from longline.cli.commands.cover import cover
from longline.cli.commands.discover import discover
from longline.cli.commands.find import find
from longline.cli.commands.fleet import fleet
from longline.cli.commands.folder import doctor, export, move, report
from longline.cli.commands.harvest import harvest, retry
from longline.cli.commands.mcp import mcp
from longline.cli.commands.plan import plan
from longline.cli.commands.presets import presets
from longline.cli.commands.simulated import demo, serve
from longline.cli.commands.status import answer, log, status
from longline.cli.commands.steer import budget, dashboard, pause, resume, stop
from longline.cli.commands.update import diff, update
