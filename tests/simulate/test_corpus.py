import gzip
import json
import logging
from pathlib import Path

import pytest

from longline.errors import CorpusError
from longline.model import Document
from longline.simulate.documents.corpus import read_corpus


def write_lines(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_json_lines_become_documents(tmp_path: Path) -> None:
    """Id, title and text of each line are kept, in order; other fields are ignored."""
    path = write_lines(
        tmp_path / "c.jsonl",
        {"id": "b", "title": "Second first", "text": "Föhn", "date": 7},
        {"id": 12, "title": "A number for an id", "text": "x"},
    )
    assert read_corpus(path) == [
        Document("b", title="Second first", text="Föhn"),
        Document("12", title="A number for an id", text="x"),
    ]


def test_a_missing_id_is_the_line_and_a_missing_title_the_first_words(tmp_path: Path) -> None:
    """Blank lines are not records but count as lines."""
    path = tmp_path / "c.jsonl"
    path.write_text('\n{"text": "one two three four five six seven eight nine"}\n')
    assert read_corpus(str(path)) == [
        Document(
            "2",
            title="one two three four five six seven eight",
            text="one two three four five six seven eight nine",
        )
    ]


def test_compressed_lines_are_read_alike(tmp_path: Path) -> None:
    """A .jsonl.gz gives the same documents as its content."""
    plain = write_lines(tmp_path / "c.jsonl", {"id": "a", "title": "t", "text": "words"})
    packed = tmp_path / "c.jsonl.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert read_corpus(packed) == read_corpus(plain)


def test_a_table_is_read_like_lines(tmp_path: Path) -> None:
    """Multi-line cells and very long ones are read; the column `key` is an id, too."""
    path, long = tmp_path / "c.csv", "sea " * 40_000
    path.write_text(
        f'id,title,text,year\nb,"Föhn, ""warm""","one\ntwo",7\n,,{long},\n', "utf-8-sig"
    )
    assert read_corpus(path) == [
        Document("b", title='Föhn, "warm"', text="one\ntwo"),
        Document("2", title=" ".join(["sea"] * 8), text=long),
    ]
    path.write_text('"key","url","text"\n"k1","https://x.example/","words"\n')
    assert [each.key for each in read_corpus(path)] == ["k1"]
    path.write_text('ID; Title;Text\nk1;Sea, land;"one; two, three"\n')
    assert read_corpus(path) == [Document("k1", title="Sea, land", text="one; two, three")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"id,body\n1,words\n",
            "c.csv has no column text, but id, body; name the columns id, title and text",
        ),
        (b"id,text\n1,\n", "c.csv:2 has no text"),
        (b"id,text\n1,caf\xe9\n", "c.csv cannot be read: .*; save it as CSV in UTF-8"),
        (b"id,text\n", "no document in "),
    ],
)
def test_a_wrong_table_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    """The error names the problem in the table."""
    (tmp_path / "c.csv").write_bytes(content)
    with pytest.raises(CorpusError, match=message):
        read_corpus(tmp_path / "c.csv")


def test_a_folder_is_read_recursively_and_sorted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Keys are paths in the folder; other files are skipped; guesses and gaps are logged."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.txt").write_bytes("Grüße aus Köln".encode("latin-1"))
    (tmp_path / "b.md").write_text("# A heading\n\ntext", encoding="utf-8-sig")
    (tmp_path / "c.TXT").write_text("naïve", encoding="utf-16")
    (tmp_path / "blank.txt").write_text(" \n")
    (tmp_path / "image.png").write_bytes(b"\x89PNG")
    with caplog.at_level(logging.WARNING):
        documents = read_corpus(tmp_path)
    assert documents == [
        Document("b.md", title="A heading text", text="# A heading\n\ntext"),
        Document("c.TXT", title="naïve", text="naïve"),
        Document("sub/a.txt", title="Grüße aus Köln", text="Grüße aus Köln"),
    ]
    assert "sub/a.txt" in caplog.messages[0]
    assert "blank.txt" in caplog.messages[1]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{}", ["c.jsonl:2", "text"]),
        ('{"text": 3}', ["c.jsonl:2", "text", "whole number"]),
        ('{"text": "  "}', ["c.jsonl:2", "no text"]),
        ("not json", ["c.jsonl:2", "not JSON"]),
        ('["text"]', ["c.jsonl:2", "a table"]),
        ('{"text": "\udcff"}', ["c.jsonl:2", "not JSON"]),
        ('{"text": "x", "id": "1"}', ["c.jsonl:2", "c.jsonl:1", "'1'"]),
        ('{"text": "x", "id": ".."}', ["c.jsonl:2", "'..'"]),
        ('{"text": "x", "id": "a\\nb"}', ["c.jsonl:2", "control"]),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, content: str, words: list[str]) -> None:
    """The error names the file, the line, and what is wrong with it."""
    path = tmp_path / "c.jsonl"
    path.write_text(f'{{"text": "good"}}\n{content}\n', errors="surrogateescape")
    with pytest.raises(CorpusError) as caught:
        read_corpus(path)
    assert all(word in str(caught.value) for word in words)
    assert caught.value.advice


def test_what_is_no_corpus_is_refused(tmp_path: Path) -> None:
    """Missing, empty, foreign and broken files raise errors that name the path."""
    empty_folder = tmp_path / "folder"
    empty_folder.mkdir()
    (tmp_path / "empty.jsonl").write_text("\n\n")
    (tmp_path / "table.csv").write_text("a,b\n")
    (tmp_path / "false.jsonl.gz").write_text("not compressed")
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(b'{"text": "x"}\n' * 99)[:-9])
    for name in ("none", "folder", "empty.jsonl", "table.csv", "false.jsonl.gz", "cut.jsonl.gz"):
        with pytest.raises(CorpusError) as caught:
            read_corpus(tmp_path / name)
        assert name in str(caught.value)
        assert caught.value.exit_code == 2


def test_the_shared_corpora_are_read_whole(shared: Path) -> None:
    """Reuters has 19,043 stories, each with a text and a unique key."""
    documents = read_corpus(shared / "corpora" / "reuters.jsonl.gz")
    assert len(documents) == len({document.key for document in documents}) == 19043


def test_mark_of_utf_8_is_no_part_of_the_first_line(tmp_path: Path) -> None:
    """A byte order mark, as editors on Windows write it, is ignored."""
    path = tmp_path / "c.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"id": 1, "text": "first"}\n{"id": 2, "text": "second"}\n')
    assert [document.text for document in read_corpus(path)] == ["first", "second"]


def test_folder_without_a_text_says_what_is_read(tmp_path: Path) -> None:
    """The error for a folder of other files lists the accepted types."""
    (tmp_path / "a.html").write_text("<p>text")
    with pytest.raises(CorpusError, match=r"\.md, \.txt"):
        read_corpus(tmp_path)
