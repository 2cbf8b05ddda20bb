"""Find the fields of a source with a known spec, from one answer."""

from collections.abc import Sequence

import jmespath  # type: ignore[import-untyped]

from longline.discovery.fields.data_fields import data_fields, kept_paths, rows_of
from longline.discovery.fields.markup_fields import markup_fields
from longline.errors import PageError
from longline.model import Page, Response
from longline.source import Spec, parse
from longline.source.select import read_select
from longline.source.spec import FieldPlace


def fields_of_answer(
    spec: Spec, page: Page, response: Response, labels: Sequence[str] = ()
) -> dict[str, FieldPlace]:
    """Return the fields in the rows of a JSON or XML answer that a spec does not read yet.

    Args:
        spec: The source's spec.
        page: The parsed answer.
        response: The same answer, not parsed.
        labels: Names of the cells, if rows are lists.
    """
    kind = spec.source.kind
    if not page.hits or kind == "html":
        return {}
    try:
        root = parse(response, kind).root
    except PageError:
        return {}
    if kind == "json":
        items = jmespath.search(spec.results.hit.removeprefix("jmes:"), root.root)
        rows = items if isinstance(items, list) else []
        taken = kept_paths(spec.results, is_read=spec.document is not None)
        return data_fields(rows_of(page.keys, rows), taken=taken, labels=labels)
    found = read_select(spec.results.hit, kind).all(root)
    shown = [[hit.title, hit.url, hit.key, hit.snippet, hit.text or ""] for hit in page.hits]
    elements = [each.root for each in found]
    return markup_fields(elements, page.keys, shown=shown, is_xml=True)
