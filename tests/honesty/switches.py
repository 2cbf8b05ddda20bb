"""All faults by name."""

from tests.honesty.lost import LOST
from tests.honesty.odd import OF_DOCUMENTS, SIZES, WAYS
from tests.honesty.silence import SILENCE
from tests.honesty.switch import Switch

SWITCHES: dict[str, Switch] = {
    switch.name: switch for switch in (*SILENCE, *LOST, *SIZES, *WAYS, *OF_DOCUMENTS)
}
