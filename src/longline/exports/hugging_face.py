"""A folder for Hugging Face's `datasets`: Parquet, and a README with a data card."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pyarrow

from longline.exports.material import CERTIFICATE, Material
from longline.exports.parquet import write_parquet
from longline.ledger import Certificate, in_words
from longline.text.numbers import counted, percent

DATA = "data/train-00000-of-00001.parquet"
README = "README.md"

_SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
    (100_000_000, "10M<n<100M"),
)


def write_hugging_face(material: Material, folder: Path) -> int:
    """Write a folder with the documents, a data card and the certificate; return the number."""
    (folder / DATA).parent.mkdir(parents=True)
    with (folder / DATA).open("xb") as stream:
        written = write_parquet(material, stream)
    (folder / CERTIFICATE).write_bytes(material.certificate_json)
    (folder / README).write_text(_card(material, written), encoding="utf-8")
    return written


def _card(material: Material, documents: int) -> str:
    head = "\n".join(_head(material, documents))
    return f"---\n{head}\n---\n\n{_body(material, documents)}"


def _head(material: Material, documents: int) -> Iterator[str]:
    """Yield lines of YAML; strings are written as JSON, which YAML can read."""
    found = material.certificate
    yield f"pretty_name: {_text(f'Documents of {material.title}')}"
    yield f"license: {_license(material.credit.license)}"
    languages = [name for name in found.languages if name != "unknown"]
    if languages:
        yield "language:"
        yield from (f"- {_text(name)}" for name in languages)
    size = next((name for most, name in _SIZES if documents < most), "n>100M")
    yield f"size_categories:\n- {_text(size)}"
    yield "configs:\n- config_name: default\n  data_files:\n  - split: train"
    yield f"    path: {DATA}"
    yield "dataset_info:\n  features:"
    schema = material.table.arrow_schema(pyarrow)
    yield from (line for field in schema for line in _feature(field.name, field.type))
    yield f"  splits:\n  - name: train\n    num_examples: {documents}"


def _license(given: str) -> str:
    """Return a licence as the Hub writes it: a lowercase identifier, or "other"."""
    if not given:
        return "unknown"
    return f"other\nlicense_link: {_text(given)}" if "://" in given else _text(given.lower())


def _feature(name: str, kind: pyarrow.DataType, indent: str = "  ") -> Iterator[str]:
    """Yield lines that describe an Arrow type as `datasets` names it."""
    yield f"{indent}- name: {_text(name)}"
    within = f"{indent}  "
    if pyarrow.types.is_list(kind) and pyarrow.types.is_struct(kind.value_type):
        yield f"{within}list:"
        for each in kind.value_type:
            yield from _feature(each.name, each.type, within)
    elif pyarrow.types.is_list(kind):
        yield f"{within}list: {_named(kind.value_type)}"
    else:
        yield f"{within}dtype: {_named(kind)}"


def _named(kind: pyarrow.DataType) -> str:
    return {"double": "float64", "date32[day]": "date32"}.get(str(kind), _text(str(kind)))


def _text(text: str) -> str:
    return msgspec.json.encode(text).decode()


def _body(material: Material, documents: int) -> str:
    found, credit = material.certificate, material.credit
    made_by = f" by {_plain(credit.creator)}" if credit.creator else ""
    license_is = _plain(credit.license) or "not known. Ask the source before you share it"
    columns = "\n".join(f"| `{name}` | {kind} |" for name, kind in material.table.types.items())
    held = counted(documents, "document")
    return f"""# Documents of {_plain(material.title)}

{held} from {_plain(found.source)}, harvested{made_by} through its search between
{found.begun_at} and {found.ended_at}. {_completeness(found)}

The licence of the documents is {license_is}.

## Columns

| name | type |
|---|---|
{columns}

## How complete it is

`{CERTIFICATE}` has all of this, and what is missing in detail.

```text
{_fenced(in_words(found))}
```
"""


def _completeness(found: Certificate) -> str:
    if found.size is None:
        return "How many the source has is not known."
    share = f", {percent(found.hit_rate)}" if found.hit_rate is not None else ""
    return f"The source has about {found.size:,}{share} of which are held."


def _plain(text: str) -> str:
    """Escape a text for Markdown, and put it on one line."""
    line = " ".join(text.split())
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>#|" else letter for letter in line)


def _fenced(text: str) -> str:
    return text.replace("```", "'''")
