"""Servers added later: a database that answers with rows, and a mail archive.

Each is a context manager that yields an address, like those in `servers`.
"""

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

from tests.real.servers import Missing, Texts, free_port, program, run_once, running

_SCHEMA = """table_create Packages TABLE_HASH_KEY ShortText
column_create Packages title COLUMN_SCALAR ShortText
column_create Packages body COLUMN_SCALAR Text
table_create Terms TABLE_PAT_KEY ShortText --default_tokenizer TokenBigram \
--normalizer NormalizerAuto
column_create Terms packages COLUMN_INDEX|WITH_POSITION|WITH_SECTION Packages title,body
load --table Packages
"""

_IMPORT = """use PublicInbox::Config; use PublicInbox::InboxWritable;
my $inbox = PublicInbox::Config->new->lookup_name('packages');
PublicInbox::InboxWritable->new($inbox)->import_maildir($ARGV[0]);
"""


@contextmanager
def groonga(texts: Texts, folder: Path) -> Iterator[str]:
    """Run Groonga's HTTP server, which answers with rows; yield the address of an answer."""
    command = program("groonga")
    rows = [{"_key": key, "title": title, "body": text} for key, title, text in texts]
    base = str(folder / "packages.grn")
    with subprocess.Popen(
        [command, "-n", base], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as load:
        load.communicate(f"{_SCHEMA}{json.dumps(rows)}\n".encode(), timeout=300)
    port = free_port()
    home = f"http://127.0.0.1:{port}/"
    serve = [command, "-s", "--protocol", "http", "--bind-address", "127.0.0.1", "-p", str(port)]
    with running([*serve, base], home, folder):
        yield f"{home}d/select?table=Packages&match_columns=title,body&query=library"


@contextmanager
def public_inbox(texts: Texts, folder: Path) -> Iterator[str]:
    """Run public-inbox, whose mail archives are searched with Xapian; each text is a mail."""
    start, serve = program("public-inbox-init"), program("public-inbox-httpd")
    if not shutil.which("git") or not shutil.which("perl"):
        raise Missing("git or perl is not installed")
    for name in ("new", "cur", "tmp"):
        (folder / "mails" / name).mkdir(parents=True)
    for number, (key, title, text) in enumerate(texts):
        (folder / "mails/new" / f"{number:06}.host").write_bytes(_mail(number, key, title, text))
    port = free_port()
    home = f"http://127.0.0.1:{port}/packages/"
    who = {"NAME": "Archive", "EMAIL": "archive@lists.example"}
    env = {f"GIT_{role}_{name}": who[name] for role in ("AUTHOR", "COMMITTER") for name in who}
    env |= {"PI_CONFIG": str(folder / "config"), "HOME": str(folder)}
    named = ["packages", str(folder / "archive"), home, "packages@lists.example"]
    run_once([start, "-V2", *named], env=env)
    run_once(["perl", "-e", _IMPORT, str(folder / "mails")], env=env)
    with running([serve, "-l", f"http://127.0.0.1:{port}"], home, folder, **env):
        yield home


def _mail(number: int, key: str, title: str, text: str) -> bytes:
    mail = EmailMessage()
    mail["From"] = f"Maintainer {number % 40} <maintainer{number % 40}@lists.example>"
    mail["To"] = "packages@lists.example"
    mail["Subject"] = title
    mail["Message-ID"] = f"<{key.replace('+', 'plus')}-{number}@lists.example>"
    mail["Date"] = format_datetime(datetime(2020, 1, 1, tzinfo=UTC) + timedelta(hours=number))
    mail.set_content(text)
    return bytes(mail)
