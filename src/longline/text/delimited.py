"""How the cells of a CSV file are read."""

LONGEST_CELL = 2**31 - 1
"""Maximum length of a cell in characters, for `csv.field_size_limit`; its default is 131,072."""


def delimiter_of(head: str) -> str:
    r"""Return what stands between the cells of a CSV file, by its first line.

    Spreadsheets of some countries write semicolons.

    >>> delimiter_of("url;folder"), delimiter_of("url\tfolder"), delimiter_of("url")
    (';', '\t', ',')
    """
    return max(",;\t", key=head.count)
