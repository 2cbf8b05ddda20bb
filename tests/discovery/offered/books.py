"""The types of a GraphQL server in strawberry: books with a search, and shelves."""

import base64

import strawberry
from tests.discovery.offered.kit import matching


@strawberry.type
class Book:
    id: strawberry.ID
    title: str
    body: str


@strawberry.type
class PageInfo:
    has_next_page: bool
    end_cursor: str | None


@strawberry.type
class Edge:
    node: Book


@strawberry.type
class Books:
    edges: list[Edge]
    page_info: PageInfo
    total_count: int


@strawberry.type
class Shelf:
    id: strawberry.ID
    name: str


@strawberry.type
class Query:
    @strawberry.field
    def books(self, search: str | None = None, first: int = 10, after: str | None = None) -> Books:
        if first > 20:
            raise ValueError("first is 20 at most")
        found, start = matching(search), int(base64.b64decode(after or b"MA=="))
        end = start + first
        cursor = base64.b64encode(str(end).encode()).decode()
        edges = [Edge(node=Book(id=d.key, title=d.title, body=d.text)) for d in found[start:end]]
        info = PageInfo(has_next_page=end < len(found), end_cursor=cursor)
        return Books(edges=edges, page_info=info, total_count=len(found))

    @strawberry.field
    def shelves(self) -> list[Shelf]:
        return [Shelf(id="1", name="one"), Shelf(id="2", name="two")]


LIBRARY = "lib-7f3a"


@strawberry.input
class Wanted:
    query: str
    library_id: strawberry.ID


@strawberry.type
class OfLibraries:
    @strawberry.field
    def books_of_library(self, where: Wanted, first: int, after: str | None = None) -> Books:
        if where.library_id != LIBRARY:
            raise ValueError("there is no such library")
        return Query().books(where.query or "-", first, after)
