"""The generated part of a page, between two marks; text after it is written by hand."""

from pathlib import Path

BEGIN = "<!-- Made by `make reference`; what you change here is lost. -->"
END = "<!-- From here on written by hand. -->"


def in_page(made: str, page: str, path: Path) -> str:
    """Return a page with its generated part replaced; a new page if there is none yet.

    Args:
        made: The new part, as Markdown.
        page: The current page; "" for a new one.
        path: Its path, for the error message.

    Raises:
        ValueError: The page exists but has no marks.

    >>> print(in_page("# One", "", Path("one.md")).strip())
    # One
    <BLANKLINE>
    <!-- Made by `make reference`; what you change here is lost. -->
    <!-- From here on written by hand. -->
    """
    title, _, rest = made.strip().partition("\n")
    body = f"\n{rest.strip()}\n\n" if rest.strip() else ""
    if page and (BEGIN not in page or END not in page):
        raise ValueError(f"{path} has no marks around the part that is made: {BEGIN} and {END}")
    by_hand = page.partition(END)[2].strip()
    return f"{title}\n\n{BEGIN}\n{body}{END}\n\n{by_hand}".rstrip() + "\n"


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    r"""Return a Markdown table; line breaks and bars in cells are escaped.

    >>> print(table(("a", "b"), [("1", "x|y")]))
    | a | b |
    |---|---|
    | 1 | x\|y |
    """
    lines = [head, tuple("---" for _ in head), *rows]
    texts = ["| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines]
    return "\n".join([texts[0], texts[1].replace(" ", ""), *texts[2:]])


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
