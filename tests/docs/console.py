"""Console blocks of the documentation: run, and compared with what they show.

    python -m tests.docs.console docs/tutorial.md ...    writes what the commands print now

A block is a page's commands, each after `$ `, and what they print. The blocks of a page are run in
order in one folder. Addresses of `sites.SITES` stand for sites on loopback, which are started when
they are named; `longline serve` is started, too, and stopped at the end. A line `...` stands for
any lines. Numbers, times and quoted words may differ.

`<!-- run: COMMAND -->` runs a command that the page does not show, and `<!-- file: NAME -->` before
a block of code keeps it in the folder under that name.
"""

import re
import runpy
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, chdir, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Self

import pytest
from tests.command_line import longline
from tests.docs.sites import SITES
from tests.real import servers

from longline.fetch import Manners

BLOCK = re.compile(r"^```console\n(.*?)^```", re.M | re.S)
RUN = re.compile(
    r"^(?:```console\n(.*?)^```"
    r"|<!-- run: (.*?) -->"
    r"|<!-- file: (\S+) -->\n\n```\w+\n(.*?)^```)",
    re.M | re.S,
)
SERVED = "127.0.0.1:8765"
"""Where `longline serve` says that it is; in a test it takes a free port."""


@dataclass(frozen=True)
class Step:
    """A command, and what the page says that it prints."""

    command: str
    shown: str


def steps(block: str) -> list[Step]:
    r"""Cut a block into its commands.

    >>> steps("$ one\n1\n$ two\n")
    [Step(command='one', shown='1\n'), Step(command='two', shown='')]
    """
    parts = re.split(r"^\$ ", block, flags=re.M)[1:]
    pairs = (part.replace("\\\n", "").partition("\n") for part in parts)
    return [Step(command, shown) for command, _, shown in pairs]


class Session:
    """A folder, and the sites that were named so far."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._hosts: dict[str, str] = {}
        self._open = ExitStack()

    def __enter__(self) -> Self:
        patch = self._open.enter_context(pytest.MonkeyPatch.context())
        # The sites are on loopback, where those of the documentation are not.
        patch.setattr(Manners, "allow_private", True)
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def run(self, command: str) -> str:
        """Run a command; return what it printed, as the page would show it."""
        if command.startswith("longline serve "):
            return self._serve(command)
        command = self._here(command)
        if command.startswith("longline "):
            done = longline(self.folder, *words(command)[1:])
            printed = done.stdout or done.stderr
        elif re.match(r"python3 \w+\.py$", command):
            printed = self._python(self.folder / words(command)[1])
        else:
            shell = ["bash", "-c", command]
            done = subprocess.run(shell, cwd=self.folder, capture_output=True, text=True)
            printed = done.stdout or done.stderr
        for host, there in self._hosts.items():
            scheme = "http" if host == SERVED else "https"
            printed = printed.replace(there, f"{scheme}://{host}")
        if "--allow-private" not in command:  # as where the site is on a public address
            printed = printed.replace(" --allow-private", "")
        lines = (line.rstrip() for line in printed.replace(str(self.folder), ".").splitlines())
        return "".join(f"{line}\n" for line in lines)

    def _python(self, path: Path) -> str:
        """Run a script in this process, where addresses of loopback are allowed."""
        with chdir(self.folder), redirect_stdout(StringIO()) as out:
            runpy.run_path(str(path), run_name="__main__")
        return out.getvalue()

    def write(self, name: str, text: str) -> None:
        """Keep a file that a page shows; its addresses are those of the sites here."""
        (self.folder / name).write_text(self._here(text))

    def _here(self, text: str) -> str:
        """Put the loopback addresses of sites in the place of the documentation's."""
        for host in SITES:
            if f"//{host}" in text:
                self.site(host)
        for host, there in self._hosts.items():
            text = text.replace(f"https://{host}", there).replace(f"http://{host}", there)
        return text

    def site(self, host: str) -> str:
        """Return the loopback address of a site, which runs from now on."""
        if host not in self._hosts:
            self._hosts[host] = self._open.enter_context(SITES[host]())
        return self._hosts[host]

    def _serve(self, command: str) -> str:
        started = [sys.executable, "-m", "longline", *words(command)[1:], "--port", "0"]
        process = subprocess.Popen(started, cwd=self.folder, stderr=subprocess.PIPE, text=True)
        self._open.callback(_stop, process)
        assert process.stderr is not None
        printed = ""
        for line in process.stderr:
            printed += line
            if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                self._hosts[SERVED] = found[0]
            if "Ctrl-C" in line:
                break
        return printed.replace(self._hosts[SERVED], f"http://{SERVED}")


def _stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    process.wait(20)
    if process.stderr is not None:
        process.stderr.close()


def words(command: str) -> list[str]:
    """Cut a command line as a shell does."""
    return shlex.split(command, comments=True)


def alike(shown: str, printed: str) -> bool:
    r"""Whether a page shows what is printed, numbers, times and quoted words aside.

    >>> alike("saved 12 of 300\n...\nlast 'a b'\n", "saved 1 of 2,998\n1\n2\nlast 'c'\n")
    True
    >>> alike("saved 12\n", "lost 12\n")
    False
    """
    parts = [re.escape(_plain(part)) for part in re.split(r"^\s*\.\.\.\n", shown, flags=re.M)]
    return re.fullmatch(r"(?:.*\n)?".join(parts), _plain(printed), re.S) is not None


def _plain(text: str) -> str:
    text = re.sub(r"'[^'\n]*'", "'x'", text)
    text = re.sub(r"\d[\d,.]*", "0", text)
    # How long requests take is the machine's: 50 seconds here may be two minutes there.
    text = re.sub(r"\babout 0 (?:s|min|h)\b", "about 0 s", text)
    return "\n".join(" ".join(line.split()) for line in text.split("\n"))


def differences(page: str, folder: Path) -> Iterator[tuple[Step, str]]:
    """Yield each step that prints something else than its page shows, and what it prints."""
    with Session(folder) as session:
        for block, unseen, file, text in RUN.findall(page):
            if unseen:
                session.run(unseen)
            elif file:
                session.write(file, text)
            for step in steps(block):
                printed = session.run(step.command)
                if not alike(step.shown, printed):
                    yield step, printed


def main() -> None:
    """Write into pages what their commands print now; blocks with `...` are left as they are."""
    for name in sys.argv[1:]:
        path = Path(name)
        page = path.read_text()
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = list(differences(page, Path(folder)))
            except servers.Missing as error:
                print(f"{name}: {error}")
                continue
        for step, printed in found:
            old = f"$ {step.command}\n{step.shown}"
            if "...\n" in step.shown or old not in page:
                print(f"{name}: change this by hand:\n$ {step.command}\n{printed}")
            page = page.replace(old, f"$ {step.command}\n{printed}")
        path.write_text(page)


if __name__ == "__main__":
    main()
