"""RO-Crate: the documents, the certificate and the spec, with authors, times and tools.

Source: RO-Crate Metadata Specification 1.1.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from longline.exports.columns import ATTACHMENTS
from longline.exports.material import CERTIFICATE, Material
from longline.exports.rows import write_jsonl
from longline.ledger import Certificate, in_words
from longline.text.numbers import counted
from longline.version import __version__

DOCUMENTS = "documents.jsonl"
SPEC = "source.toml"
METADATA = "ro-crate-metadata.json"

Entity = dict[str, Any]


def write_ro_crate(material: Material, folder: Path) -> int:
    """Write a self-describing folder; return the number of documents."""
    folder.mkdir()
    with (folder / DOCUMENTS).open("xb") as stream:
        written = write_jsonl(material.table, stream)
    (folder / CERTIFICATE).write_bytes(material.certificate_json)
    (folder / SPEC).write_text(material.spec_text, encoding="utf-8")
    files = [*_files(material, folder), *_attachments(material, folder)]
    graph = {
        "@context": "https://w3id.org/ro/crate/1.1/context",
        "@graph": [*_about(material, files, written), *_made(material), *files],
    }
    (folder / METADATA).write_bytes(msgspec.json.format(msgspec.json.encode(graph), indent=2))
    return written


def _about(material: Material, files: list[Entity], documents: int) -> list[Entity]:
    found = material.certificate
    root: Entity = {
        "@id": "./",
        "@type": "Dataset",
        "name": f"Documents of {material.title}",
        "description": f"{counted(documents, 'document')} harvested from {found.source}. How "
        f"complete they are:\n\n{in_words(found)}",
        "datePublished": found.ended_at,
        "license": {"@id": _license_id(material)},
        "isBasedOn": {"@id": found.source or "#source"},
        "hasPart": [{"@id": each["@id"]} for each in files],
        "mentions": {"@id": "#harvest"},
    }
    if material.credit.creator:
        root["creator"] = {"@id": _creator_id(material)}
    return [
        {
            "@id": METADATA,
            "@type": "CreativeWork",
            "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
            "about": {"@id": "./"},
        },
        root,
    ]


def _ending(found: Certificate) -> str:
    return f"{found.outcome}: {found.stopped}" if found.outcome else "a run is going on"


def _made(material: Material) -> list[Entity]:
    """Return entities for the harvest: its author, source, software and licence."""
    found, credit = material.certificate, material.credit
    action: Entity = {
        "@id": "#harvest",
        "@type": "CreateAction",
        "name": f"Harvest of {material.title}",
        "startTime": found.begun_at,
        "endTime": found.ended_at,
        "description": f"{counted(found.requests, 'request')}; {_ending(found)}",
        "object": {"@id": found.source or "#source"},
        "instrument": {"@id": "#longline"},
        "result": [{"@id": name} for name in (DOCUMENTS, CERTIFICATE)],
    }
    entities: list[Entity] = [
        action,
        {"@id": found.source or "#source", "@type": "WebSite", "name": material.title},
        {
            "@id": "#longline",
            "@type": "SoftwareApplication",
            "name": "longline",
            "version": __version__,
        },
    ]
    if credit.creator:
        action["agent"] = {"@id": _creator_id(material)}
        entities.append({"@id": _creator_id(material), "@type": "Person", "name": credit.creator})
    license_is_known = bool(credit.license)
    entities.append(
        {
            "@id": _license_id(material),
            "@type": "CreativeWork",
            "name": credit.license or "not known",
            "description": "As the maker of this crate gave it."
            if license_is_known
            else "Nobody has said under which licence the documents stand; ask the source.",
        }
    )
    return entities


def _files(material: Material, folder: Path) -> list[Entity]:
    columns = ", ".join(f"{name} ({kind})" for name, kind in material.table.types.items())
    told = {
        DOCUMENTS: ("application/jsonl", f"A document a line: {columns}."),
        CERTIFICATE: ("application/json", "What was harvested, what it cost, and what is missing."),
        SPEC: ("application/toml", "How the source is searched."),
    }
    return [
        {
            "@id": name,
            "@type": "File",
            "name": name,
            "encodingFormat": media_type,
            "description": text,
            "contentSize": str((folder / name).stat().st_size),
        }
        for name, (media_type, text) in told.items()
    ]


def _attachments(material: Material, folder: Path) -> Iterator[Entity]:
    """Copy the files that belong to documents, and describe each; missing ones are left out."""
    copied: set[str] = set()
    for document in material.documents if material.table.has_attachments else ():
        for each in document.attachments:
            kept = material.attachment(each.name)
            if kept is None or each.name in copied:
                continue
            copied.add(each.name)
            there = folder / ATTACHMENTS / each.name
            there.parent.mkdir(exist_ok=True)
            shutil.copyfile(kept, there)
            yield {
                "@id": f"{ATTACHMENTS}/{each.name}",
                "@type": "File",
                "name": each.name,
                "encodingFormat": each.media_type,
                "contentSize": str(each.size),
                "sha256": each.sha256,
                "url": each.url,
            }


def _license_id(material: Material) -> str:
    given = material.credit.license
    if "://" in given:
        return given
    return f"https://spdx.org/licenses/{given}" if given else "#license-not-known"


def _creator_id(material: Material) -> str:
    given = material.credit.creator
    return given if "://" in given else "#creator"
