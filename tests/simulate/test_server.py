import os
import signal
import socket
import subprocess
import sys
import threading
import time

import httpx2
import pytest

from longline.errors import InputError
from longline.simulate.search.searcher import Searcher
from longline.simulate.site.server import running_site, serve
from longline.simulate.site.website import website


def test_a_site_runs_as_long_as_its_block(box: Searcher) -> None:
    """It responds inside the block and is gone after it, despite an open connection."""
    threads = threading.active_count()
    with httpx2.Client() as client:
        with running_site(website(box)) as url:
            assert client.get(url).status_code == 200
        with pytest.raises(httpx2.ConnectError):
            client.get(url)
    assert threading.active_count() == threads


def test_two_sites_run_side_by_side(box: Searcher) -> None:
    """Each site gets its own port."""
    with running_site(box) as one, running_site(box) as other:
        assert one != other
        assert httpx2.get(one).text == httpx2.get(other).text


def test_the_log_holds_every_request(box: Searcher) -> None:
    """The log has path and query string as sent and in order, found or not."""
    log: list[str] = []
    with running_site(box, log=log) as url:
        for path in ("/", "/search?q=ship&page=2", "/documents/log%2F01", "/nowhere"):
            httpx2.get(url + path)
    assert log == ["/", "/search?q=ship&page=2", "/documents/log%2F01", "/nowhere"]


def test_a_port_in_use_is_named(box: Searcher) -> None:
    """The error names the port, so that the user can change it."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=str(port)), running_site(box, port=port):
            pass
        with pytest.raises(InputError, match=str(port)):
            serve(box, port=port)
    with pytest.raises(InputError, match="70000"):
        serve(box, port=70000)


def test_the_same_port_can_be_taken_again(box: Searcher) -> None:
    """A stopped site frees its port at once."""
    with running_site(box) as url:
        httpx2.get(url)
        port = int(url.rsplit(":", 1)[1])
    with running_site(box, port=port) as url:
        assert httpx2.get(url).status_code == 200


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_serve_is_quiet_and_ends_on_interrupt() -> None:
    """It responds until Ctrl-C, and prints nothing."""
    script = (
        "import sys; from longline.model import Document\n"
        "from longline.simulate.search.searcher import Searcher\n"
        "from longline.simulate.site.server import serve\n"
        "try: serve(Searcher([Document('a', text='ship')]), port=int(sys.argv[1]))\n"
        "except KeyboardInterrupt: print('interrupted')\n"
    )
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with subprocess.Popen(
        [sys.executable, "-c", script, str(port)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert answers(f"http://127.0.0.1:{port}/search?q=ship")
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=30) == (b"interrupted\n", b"")
        assert process.returncode == 0


def answers(url: str) -> bool:
    for _ in range(300):
        try:
            return httpx2.get(url).status_code == 200
        except httpx2.ConnectError:
            time.sleep(0.1)
    return False
