"""Tools for agents, by the Model Context Protocol: plan, harvest, status, documents."""

from longline.agents.stdio import serve
from longline.agents.tools import Terms
