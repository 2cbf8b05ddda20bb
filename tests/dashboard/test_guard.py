"""Test that only the user has access, and that viewing changes nothing."""

import socket
from pathlib import Path

import httpx2
import pytest
from tests.command_line import longline
from tests.dashboard.conftest import Serve, Served
from tests.dashboard.written import write_many

from longline.dashboard.guard import policy, with_nonce

TOKEN = "a token of some length"


def first_line(served: Served, *headers: str, path: str = "/") -> str:
    """Send a request unchanged, and return the first line of the response."""
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as connection:
        lines = [f"GET {path} HTTP/1.1", *headers, "", ""]
        connection.sendall("\r\n".join(lines).encode())
        return connection.recv(200).decode("latin-1").split("\r\n")[0]


def upgrade(served: Served, origin: str, host: str | None = None, *more: str) -> str:
    """Request the pages' web socket, as a page of some origin."""
    return first_line(
        served,
        f"Host: {host or f'127.0.0.1:{served.port}'}",
        f"Origin: {origin}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        *more,
        path="/_nicegui_ws/socket.io/?EIO=4&transport=websocket&client_id=x",
    )


@pytest.mark.slow
def test_without_a_token_it_answers_to_this_machine_alone(serve: Serve) -> None:
    """A foreign host name for this machine is refused, and so is a foreign origin."""
    served = serve()
    here = f"127.0.0.1:{served.port}"
    assert " 200 " in first_line(served, f"Host: {here}")
    assert " 200 " in first_line(served, f"Host: localhost:{served.port}")
    for host in ("evil.example", f"evil.example:{served.port}", "127.0.0.1", "127.0.0.1:1", "["):
        assert " 421 " in first_line(served, f"Host: {host}"), host
    assert " 403 " in first_line(served, f"Host: {here}", "Origin: http://evil.example")
    assert " 101 " in upgrade(served, f"http://{here}")
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1", "file://"):
        assert " 403 " in upgrade(served, origin), origin
    assert " 403 " in upgrade(served, f"http://evil.example:{served.port}", "evil.example")


@pytest.mark.slow
def test_pages_have_a_policy_and_a_nonce_for_each_script(serve: Serve) -> None:
    """No page loads foreign content, and no script without the response's nonce runs."""
    served = serve()
    write_many(served.folder, 2)
    answers = [httpx2.get(served.url) for _ in range(2)]
    policies = [answer.headers["content-security-policy"] for answer in answers]
    assert policies[0] != policies[1]
    nonce = policies[0].partition("'nonce-")[2].partition("'")[0]
    assert policies[0] == policy(nonce)
    assert answers[0].text.count("<script") == answers[0].text.count(f'<script nonce="{nonce}"')
    assert answers[0].headers["x-frame-options"] == "DENY"
    assert (
        "default-src 'none'"
        in httpx2.get(f"{served.url}metrics").headers["content-security-policy"]
    )


@pytest.mark.slow
def test_with_a_token_only_those_come_in_who_show_it(serve: Serve) -> None:
    """The token is posted by a form or sent as a bearer; it also protects the socket."""
    served = serve(token=TOKEN)
    page = {"Accept": "text/html"}
    assert httpx2.get(served.url, headers=page).status_code == 401
    assert "password" in httpx2.get(served.url, headers=page).text
    assert httpx2.get(f"{served.url}metrics").status_code == 401
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    assert httpx2.get(f"{served.url}metrics", headers=bearer).status_code == 200
    wrong = {"Authorization": "Bearer something else entirely"}
    assert httpx2.get(f"{served.url}metrics", headers=wrong).status_code == 401
    assert httpx2.get(f"{served.url}login", params={"token": TOKEN}).status_code == 401
    here = f"http://127.0.0.1:{served.port}"
    assert " 403 " in upgrade(served, here)
    with httpx2.Client(base_url=served.url) as client:
        assert client.post("/login", data={"token": "not it, is it?"}).status_code == 401
        assert client.post("/login", content=b"token=" + b"x" * 9_000).status_code == 413
        other = client.post("/login", data={"token": TOKEN}, headers={"Origin": "http://e.example"})
        assert other.status_code == 403
        found = client.post("/login", data={"token": TOKEN})
        assert found.status_code == 303
        cookie = found.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "samesite=strict" in cookie.lower()
        assert TOKEN not in cookie
        assert client.get("/", headers=page).status_code == 200
    assert " 101 " in upgrade(served, here, None, f"Cookie: {cookie.partition(';')[0]}")


@pytest.mark.parametrize(
    ("options", "token", "said"),
    [
        (("--host", "0.0.0.0"), "", "LONGLINE_TOKEN"),
        ((), "short", "5 letters"),
        (("--notify", " "), "", "no command"),
    ],
)
def test_what_would_be_open_is_refused(
    tmp_path: Path, options: tuple[str, ...], token: str, said: str
) -> None:
    """On a public address it needs a token, and not a short one."""
    pytest.importorskip("nicegui")
    done = longline(tmp_path, "dashboard", tmp_path, *options, LONGLINE_TOKEN=token)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_script_inside_of_a_script_gets_no_nonce() -> None:
    """A tag inside a script's text is not a script of the page."""
    page = "<script>a = '<script>'</script><script type=module>b</script>"
    assert with_nonce(page, "n").count('nonce="n"') == 2
