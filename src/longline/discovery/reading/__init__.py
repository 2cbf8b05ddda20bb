"""Read answers: guess forms, hits, links and totals, with evidence. Sends no requests."""

from longline.discovery.reading.clicks import answers_sent, has_state, kept_back, new_on, rows
from longline.discovery.reading.facet_fields import (
    dates_set,
    fields_in,
    in_full_texts,
    part_of,
    set_to_widest,
    settings_sent,
    wider_settings,
    with_choice,
)
from longline.discovery.reading.hit_elements import Records, find_records, hits_on
from longline.discovery.reading.hit_links import (
    LEAST_SCORE,
    asks_for_other,
    changing_places,
    searched_by,
)
from longline.discovery.reading.json_hits import (
    DataHits,
    data_hits_in,
    find_data_hits,
    title_path,
)
from longline.discovery.reading.json_lists import (
    addresses_in,
    directory_in,
    identifiers_in,
    is_xml_data,
    lists_in,
    longest_list,
    numbers_before,
    numbers_outside,
    strings_in,
)
from longline.discovery.reading.json_tree import (
    JOINED,
    Leaves,
    is_address,
    last_name,
    leaves_of,
    leaves_of_answer,
    listed_leaves,
    named,
    pairs_in,
    sent_names,
)
from longline.discovery.reading.next_link import (
    NextPageGuess,
    Position,
    more_button,
    next_selector,
    onwards,
    position,
    size_names,
)
from longline.discovery.reading.request_slots import (
    Slot,
    ask_of,
    empty_slots,
    new_slot,
    put,
    put_next,
    slots_of,
    with_place,
    with_place_inside,
)
from longline.discovery.reading.search_form import (
    GOOD_FORM,
    BoxGuess,
    FormGuess,
    action_of,
    boxes,
    form_of_address,
    form_selector,
    forms,
    is_forbidden,
    is_query_name,
    kinds_of,
    needed_beside,
    openers,
    says_search,
    takes_names,
)
from longline.discovery.reading.selectors import (
    ALL,
    element_selector,
    find_selector,
    first_in,
    own_names,
)
from longline.discovery.reading.title_snippet import Field, find_snippet, find_title
from longline.discovery.reading.total_number import find_total
