"""The main loop: ask a policy, use a client, inform the policy; tolerate some failures."""

from longline.engine.any_hits import QUERIES_WITHOUT_A_HIT
from longline.engine.asker import Happening
from longline.engine.class_client import ClassClient
from longline.engine.engine import Engine
from longline.engine.reusing_client import ReusingClient
from longline.engine.session_client import SessionClient
from longline.engine.settings import Callbacks, Judge, Keep, RunLimits
from longline.engine.site_client import PageClient, SiteClient
