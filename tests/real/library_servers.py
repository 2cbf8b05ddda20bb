"""A catalogue that answers SRU, as libraries' do: Zebra, with the YAZ front end.

A context manager that yields the address of its database, like those in `servers`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.real.servers import Missing, Texts, escape, free_port, program, run_once, running

TABLES = Path("/usr/share/idzebra-2.0/tab")
INDEX = """<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
  xmlns:z="http://indexdata.com/zebra-2.0" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <xsl:output indent="no" method="xml" encoding="UTF-8"/>
  <xsl:template match="text()"/>
  <xsl:template match="/*">
    <z:record z:id="{normalize-space(dc:identifier)}"><xsl:apply-templates/></z:record>
  </xsl:template>
  <xsl:template match="dc:identifier">
    <z:index name="identifier:0"><xsl:value-of select="."/></z:index>
  </xsl:template>
  <xsl:template match="dc:title | dc:description">
    <z:index name="any:w"><xsl:value-of select="."/></z:index>
  </xsl:template>
</xsl:stylesheet>
"""
RECORDS = """<dom xmlns="http://indexdata.com/zebra-2.0">
  <extract name="index"><xslt stylesheet="index.xsl"/></extract>
  <retrieve name="dc"/>
  <input><xmlreader level="1"/></input>
</dom>
"""
QUERIES = """index.cql.serverChoice = 1=any
index.cql.anywhere = 1=any
set = info:srw/cql-context-set/1/cql-v1.1
set.cql = info:srw/cql-context-set/1/cql-v1.1
relation.scr = 2=3
relation.eq = 2=3
position.any = 3=3 6=1
structure.* = 4=1
"""
SERVER = """<yazgfs>
  <listen id="loopback">tcp:127.0.0.1:{port}</listen>
  <server id="packages" listenref="loopback">
    <directory>{folder}</directory>
    <config>zebra.cfg</config>
    <cql2rpn>queries.properties</cql2rpn>
    <explain xmlns="http://explain.z3950.org/dtd/2.0/">
      <serverInfo><host>127.0.0.1</host><port>{port}</port><database>Default</database></serverInfo>
    </explain>
  </server>
</yazgfs>
"""


@contextmanager
def zebra(texts: Texts, folder: Path) -> Iterator[str]:
    """Run Zebra over Dublin Core records."""
    index, serve = program("zebraidx"), program("zebrasrv")
    if not (TABLES / "bib1.att").exists():
        raise Missing("the tables of idzebra-2.0-common are not installed")
    (folder / "records").mkdir()
    (folder / "register").mkdir()
    (folder / "index.xsl").write_text(INDEX)
    (folder / "records.xml").write_text(RECORDS)
    (folder / "queries.properties").write_text(QUERIES)
    (folder / "zebra.cfg").write_text(
        f"profilePath: {folder}:{TABLES}\nattset: bib1.att\n"
        f"recordType: dom.records.xml\nregister: {folder}/register:4G\n"
    )
    records = "".join(
        f"<dc:dc><dc:identifier>{escape(key)}</dc:identifier><dc:title>{escape(title)}</dc:title>"
        f"<dc:description>{escape(text)}</dc:description></dc:dc>\n"
        for key, title, text in texts
    )
    name = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'
    (folder / "records/all.xml").write_text(f"<records {name}>\n{records}</records>\n")
    run_once([index, "-c", str(folder / "zebra.cfg"), "init"], cwd=folder)
    run_once([index, "-c", str(folder / "zebra.cfg"), "update", "records"], cwd=folder)
    port = free_port()
    (folder / "server.xml").write_text(SERVER.format(port=port, folder=folder))
    home = f"http://127.0.0.1:{port}/Default"
    with running([serve, "-f", str(folder / "server.xml")], home, folder):
        yield home
