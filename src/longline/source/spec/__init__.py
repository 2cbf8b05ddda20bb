"""The contents of a source spec: its tables, headers, and positions in its text."""

from longline.source.spec.ask import Ask, Dialect, Form, Table
from longline.source.spec.headers import HEADER, header_name, next_of_links
from longline.source.spec.place import allowed, line_of, misfits
from longline.source.spec.spec import (
    DocumentPage,
    FacetField,
    FieldPlace,
    Home,
    Relation,
    Results,
    Spec,
)
from longline.source.spec.toml import write_toml
