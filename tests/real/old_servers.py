"""Search programs from the first twenty years of the web; many archives still run them.

Each is a context manager that yields the address of its search page, like those in `servers`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.real.servers import Missing, Texts, cgi, program, run_once, write_pages

CGI_BIN = Path("/usr/lib/cgi-bin")


@contextmanager
def namazu(texts: Texts, folder: Path) -> Iterator[str]:
    """Run Namazu, whose form has a box, page sizes, and sort orders."""
    index = program("mknmz")
    command = _installed(CGI_BIN / "namazu.cgi", "namazu2")
    write_pages(texts, folder / "doc")
    for name in ("cgi-bin", "index"):
        (folder / name).mkdir()
    run_once([index, "-q", "-O", str(folder / "index"), str(folder / "doc")])
    (folder / "namazurc").write_text(
        f"Index {folder}/index\nReplace {folder}/doc/ /doc/\nLang en\n"
    )
    _wrap(folder, "namazu.cgi", f"NAMAZURC={folder}/namazurc exec {command}")
    with cgi(folder, "cgi-bin/namazu.cgi") as home:
        yield home


@contextmanager
def htdig(texts: Texts, folder: Path) -> Iterator[str]:
    """Run ht://Dig, which requests the documents by HTTP to index them."""
    index = program("htdig")
    merge = program("htmerge")
    command = _installed(CGI_BIN / "htsearch", "htdig")
    write_pages(texts, folder / "doc")
    links = "".join(f'<li><a href="{key}.html">{key}</a>' for key, _, _ in texts)
    (folder / "doc/index.html").write_text(f"<title>Packages</title><ul>{links}</ul>")
    for name in ("cgi-bin", "data"):
        (folder / name).mkdir()
    form = Path("/usr/share/doc/htdig/examples/search.html").read_text(encoding="latin-1")
    (folder / "search.html").write_text(form.replace("/cgi-bin/htsearch", "cgi-bin/htsearch"))
    with cgi(folder, "search.html") as home:
        base = home.removesuffix("search.html")
        settings = folder / "htdig.conf"
        settings.write_text(
            f"database_dir: {folder}/data\nstart_url: {base}doc/index.html\n"
            f"limit_urls_to: {base}\nmax_doc_size: 9000000\nbad_extensions: .gif\n"
        )
        run_once([index, "-i", "-c", str(settings)])
        run_once([merge, "-c", str(settings)])
        _wrap(folder, "htsearch", f"CONFIG_DIR={folder} exec {command}")
        yield home


@contextmanager
def swish(texts: Texts, folder: Path) -> Iterator[str]:
    """Run Swish-e with the search page that is part of it."""
    index = program("swish-e")
    script = _installed(Path("/usr/lib/swish-e/swish.cgi"), "swish-e")
    write_pages(texts, folder / "doc")
    (folder / "cgi-bin").mkdir()
    (folder / "swish.conf").write_text(
        f"IndexDir {folder}/doc\nIndexFile {folder}/index.swish-e\nIndexOnly .html\n"
        f"ReplaceRules replace {folder}/doc/ /doc/\nStoreDescription HTML* <body> 200\n"
        "DefaultContents HTML*\n"
    )
    run_once([index, "-c", str(folder / "swish.conf"), "-v", "0"])
    (folder / "cgi-bin/.swishcgi.conf").write_text(
        f"return {{ swish_binary => '{index}', swish_index => '{folder}/index.swish-e' }};\n"
    )
    _wrap(folder, "swish.cgi", f"cd {folder}/cgi-bin && exec perl -I. {script}")
    with cgi(folder, "cgi-bin/swish.cgi") as home:
        yield home


def _installed(path: Path, package: str) -> Path:
    if not path.exists():
        raise Missing(f"{path.name} of the package {package} is not installed")
    return path


def _wrap(folder: Path, name: str, command: str) -> None:
    script = folder / "cgi-bin" / name
    script.write_text(f"#!/bin/sh\n{command}\n")
    script.chmod(0o755)
