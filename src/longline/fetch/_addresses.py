"""Which addresses are public. Pure: nothing is resolved here."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from urllib.parse import urlsplit

_SHARED = (
    ipaddress.ip_network("192.0.0.0/24"),  # protocol assignments, not all of them global
    ipaddress.ip_network("192.88.99.0/24"),  # the relays of 6to4, withdrawn
)
_NAT64 = tuple(map(ipaddress.IPv6Network, ("64:ff9b::/96", "64:ff9b:1::/48")))


def is_public(address: str) -> bool:
    """Say whether an IP address is one of the public internet.

    Private, loopback, link-local, shared (carrier-grade NAT), multicast, reserved and
    unspecified addresses are not, nor is an IPv6 address that leads to such an IPv4 one.

    Args:
        address: IPv4 or IPv6, as a resolver writes it.

    >>> is_public("93.184.215.14"), is_public("::ffff:10.0.0.7"), is_public("100.64.0.1")
    (True, False, False)
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        inner = _inner(ip)
        if inner is not None:
            return is_public(str(inner))
        if ip.is_site_local:
            return False
    elif any(ip in network for network in _SHARED):
        return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def _inner(ip: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Return the IPv4 address that an IPv6 address carries and leads to."""
    if any(ip in network for network in _NAT64) or not int(ip) >> 32:
        return ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.ipv4_mapped or ip.sixtofour


def is_private_host(url: str, is_public: Callable[[str], bool] = is_public) -> bool:
    """Say whether a URL's host is private by its looks: an address, or a localhost name.

    Other names count as public here; what they resolve to is checked when connecting.

    Args:
        url: Absolute.
        is_public: Says so of an IP address.

    >>> is_private_host("http://127.0.0.1:8000/"), is_private_host("https://shop.example/")
    (True, False)
    """
    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return False
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return not is_public(host)
