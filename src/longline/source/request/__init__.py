"""Write requests as the spec describes: queries, forms, filters, later pages."""

from longline.source.request.ask import fill_form, own_headers, type_into, with_headers
from longline.source.request.dialect import REQUIRED, query_text
from longline.source.request.facets import YEARS, by_months, day_template, facets_of, filter_values
from longline.source.request.paging import fill, names_query, next_request
