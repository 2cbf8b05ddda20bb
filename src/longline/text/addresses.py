"""Decide which IP addresses are public. No names are resolved here.

Source: IANA's registries of special-purpose IPv4 and IPv6 addresses.
"""

import ipaddress
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

from longline.text.url import resolve

_APART = tuple(
    map(
        ipaddress.IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",
            "100.64.0.0/10",  # shared by a provider's customers
            "127.0.0.0/8",
            "168.63.129.16/32",  # cloud services, in no registry
            "169.254.0.0/16",  # link-local; clouds serve their secrets there
            "172.16.0.0/12",
            "192.0.0.0/24",  # protocol assignments, some of them not global
            "192.0.2.0/24",  # documentation, as the next ones that end in 100 and 113
            "192.88.99.0/24",  # 6to4 relays, withdrawn
            "192.168.0.0/16",
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/3",  # multicast and reserved
        ),
    )
)
_UNICAST = ipaddress.IPv6Network("2000::/3")
"""All unicast addresses ever assigned: everything outside is reserved or unassigned."""

_APART_OF_UNICAST = tuple(
    map(
        ipaddress.IPv6Network,
        (
            "2001::/23",  # protocols: Teredo, ORCHID, benchmarks
            "2001:db8::/32",  # documentation
            "3fff::/20",  # documentation
        ),
    )
)
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_ISATAP = (0x5EFE, 0x2005EFE)


def is_public(address: str) -> bool:
    """Return whether an IP address is on the public internet.

    Addresses that the registries reserve are not, nor is an IPv6 address that embeds such an IPv4
    one: mapped, or by NAT64, 6to4 or ISATAP.

    Args:
        address: IPv4 or IPv6, as a resolver writes it.

    >>> is_public("93.184.215.14"), is_public("::ffff:10.0.0.7"), is_public("100.64.0.1")
    (True, False, False)
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv4Address):
        return not any(ip in network for network in _APART)
    is_translated = ip.ipv4_mapped is not None or ip in _NAT64
    is_given_out = ip in _UNICAST and not any(ip in network for network in _APART_OF_UNICAST)
    return (is_translated or is_given_out) and all(is_public(str(each)) for each in _carried(ip))


def _carried(ip: ipaddress.IPv6Address) -> Iterator[ipaddress.IPv4Address]:
    """Yield the IPv4 addresses embedded in an IPv6 address, to which it leads."""
    if ip.sixtofour is not None:
        yield ip.sixtofour
    is_isatap = int(ip) >> 32 & 0xFFFFFFFF in _ISATAP
    if ip.ipv4_mapped is not None or ip in _NAT64 or is_isatap:
        yield ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)


def is_private_host(url: str, is_public: Callable[[str], bool] = is_public) -> bool:
    """Return whether a URL's host is visibly private: an IP address, or a localhost name.

    Every spelling of an address that browsers accept is recognised, such as 0x7f.1. Other names
    count as public here; the addresses they resolve to are checked when connecting.

    Args:
        url: Absolute.
        is_public: Decides it for an IP address.

    >>> is_private_host("http://127.0.0.1:8000/"), is_private_host("https://shop.example/")
    (True, False)
    >>> is_private_host("http://0x7f.1/"), is_private_host("http://localhost./")
    (True, True)
    """
    try:
        host = (urlsplit(resolve(url)).hostname or "").rstrip(".")
    except ValueError:
        return False
    if host == "localhost" or host.endswith(".localhost"):
        return not is_public("127.0.0.1")
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return not is_public(host)
