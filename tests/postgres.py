"""A PostgreSQL server for tests: one per process, in a temporary folder, stopped at the end."""

import atexit
import functools
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest

USER = "nobody"
"""The user who runs the server when the tests run as root, which PostgreSQL refuses."""


class Server:
    """A separate server on loopback that trusts every connection."""

    def __init__(self, programs: Path) -> None:
        self._programs = programs
        self._folder = Path(tempfile.mkdtemp(prefix="longline-postgres-"))
        if os.getuid() == 0:
            shutil.chown(self._folder, USER)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._run("initdb", "-D", self._data, "-U", "longline", "-A", "trust", "-E", "UTF8", "-N")
        self.start()

    @property
    def _data(self) -> str:
        return str(self._folder / "data")

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), *arguments]
        if os.getuid() == 0:
            command = ["setpriv", "--reuid", USER, "--clear-groups", *command]
        done = subprocess.run(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=self._folder,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr.decode()}")

    def start(self) -> None:
        """Start or restart the server."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c fsync=off"
        options += f" -c unix_socket_directories={self._folder}"
        log = str(self._folder / "log")
        self._run("pg_ctl", "-D", self._data, "-o", options, "-l", log, "-w", "start")

    def stop(self) -> None:
        """Stop the server at once and disconnect its clients."""
        self._run("pg_ctl", "-D", self._data, "-m", "fast", "-w", "stop")

    def remove(self) -> None:
        """Stop the server and delete its files; runs at exit unless it was called before."""
        atexit.unregister(self.remove)
        try:
            self.stop()
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)

    def database(self) -> str:
        """Create an empty database; return its URL."""
        import psycopg

        name = f"t{secrets.token_hex(6)}"
        base = f"postgresql://longline@127.0.0.1:{self.port}"
        with psycopg.connect(f"{base}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return f"{base}/{name}"


def start_server() -> Server:
    """Start a server; skip the test if PostgreSQL or its driver is not installed."""
    pytest.importorskip("psycopg", reason="psycopg is not installed (longline[postgres])")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    anywhere = shutil.which("initdb")
    if not found and anywhere is None:
        pytest.skip("PostgreSQL is not installed (the Debian package postgresql)")
    server = Server(found[-1].parent if found else Path(str(anywhere)).parent)
    atexit.register(server.remove)
    return server


server = functools.cache(start_server)
