"""Which IP addresses count as public."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.fetch import is_private_host
from longline.text.addresses import is_public

PRIVATE = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "168.63.129.16/32",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "::/128",
    "::1/128",
    "::/96",
    "::ffff:0:0:0/96",
    "64:ff9b:1::/48",
    "100::/64",
    "100:0:0:1::/64",
    "2001::/23",
    "2001:db8::/32",
    "3fff::/20",
    "5f00::/16",
    "fc00::/7",
    "fe80::/10",
    "fec0::/10",
    "ff00::/8",
    "::ffff:127.0.0.0/104",
    "::ffff:10.0.0.0/104",
    "64:ff9b::7f00:0/104",
    "2002:7f00::/24",
    "2002:a00::/24",
    "2606:4700::5efe:a00:0/104",
    "2606:4700::200:5efe:7f00:0/104",
]
ADDRESSES = st.sampled_from(PRIVATE).flatmap(lambda network: st.ip_addresses(network=network))


@given(ADDRESSES)
def test_no_address_of_a_private_network_is_public(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    """No address of a private or reserved network is public, in any notation."""
    assert not is_public(str(address))


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "93.184.215.14", "100.128.0.1", "172.32.0.1", "2606:4700::1111"]
)
def test_public_addresses_are_public(address: str) -> None:
    """Ordinary addresses are public, including some next to private networks."""
    assert is_public(address)


@given(st.ip_addresses(v=4))
def test_an_address_in_disguise_is_what_it_leads_to(address: ipaddress.IPv4Address) -> None:
    """Mapped, NAT64, 6to4 and ISATAP addresses are as public as the IPv4 address inside."""
    number, public = int(address), is_public(str(address))
    for disguise in (
        (0xFFFF << 32) + number,
        int(ipaddress.IPv6Address("64:ff9b::")) + number,
        (0x2002 << 112) + (number << 80),
        int(ipaddress.IPv6Address("2606:4700::5efe:0:0")) + number,
    ):
        assert is_public(str(ipaddress.IPv6Address(disguise))) == public


@pytest.mark.parametrize("address", ["", "shop.example", "1.2.3", "0x7f.1", "fe80::1%eth0"])
def test_what_is_no_plain_address_is_not_public(address: str) -> None:
    """Only a complete, plain IP address can be public."""
    assert not is_public(address)


@pytest.mark.parametrize(
    ("url", "is_private"),
    [
        ("http://localhost:8000/", True),
        ("http://demo.localhost/", True),
        ("http://[::1]/", True),
        ("http://[::ffff:10.0.0.7]/", True),
        ("http://192.168.1.7/search", True),
        ("http://2130706433/", True),
        ("http://0177.0.0.1/", True),
        ("http://0x7f.1/", True),
        ("http://127.1/", True),
        ("http://127.0.0.1./", True),
        ("http://127。0。0。1/", True),
        ("http://①②⑦.⓪.⓪.①/", True),
        ("http://%31%32%37.0.0.1/", True),
        ("http://[::ffff:7f00:1]/", True),
        ("http://LOCALHOST./", True),
        ("http://shop.example@127.0.0.1/", True),
        ("http://127.0.0.1\\@shop.example/", True),
        ("http://127.0.0.1#@shop.example/", True),
        ("http:127.0.0.1/", True),
        ("//127.0.0.1/", False),
        ("http://127.0.0.1@shop.example/", False),
        ("http://[fe80::1%25eth0]/", False),
        ("https://shop.example/", False),
        ("https://1.1.1.1/", False),
        ("nonsense", False),
        ("http://[", False),
    ],
)
def test_private_hosts_by_their_looks(url: str, is_private: bool) -> None:
    """Literal private addresses and localhost names are private; other names are not."""
    assert is_private_host(url) == is_private
