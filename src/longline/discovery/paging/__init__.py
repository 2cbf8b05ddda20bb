"""Learn the next page, the return limit and the total of answers."""

from longline.discovery.paging.date_order import learn_newest
from longline.discovery.paging.html_next import (
    FurtherList,
    ask_again,
    choose_paging,
    follow_on,
    see_short,
)
from longline.discovery.paging.html_total import judge_totals, learn_total
from longline.discovery.paging.in_session import learn_session
from longline.discovery.paging.json_next import (
    learn_data_pages,
    learn_data_pages_from,
    note_first_total,
)
from longline.discovery.paging.json_ways import outside, token_ways
from longline.discovery.paging.list_all import learn_everything
from longline.discovery.paging.long_answers import longer, longest
from longline.discovery.paging.page_size import ask_for_longer, ask_for_longest, learn_size
from longline.discovery.paging.return_limit import ask_long, learn_limit
