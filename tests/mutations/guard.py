"""What keeps a fetcher away from where it must not go, and polite where it may."""

from tests.mutations.mutation import mutations

MUTATIONS = (
    *mutations(
        "fetch/_guard.py",
        "fetch/test_guard.py",
        (
            "[address for address in addresses if self._is_allowed(address)]",
            "list(addresses)",
        ),
        ("if addresses and not allowed:", "if not addresses:"),
        ("address, port, timeout, local_address", "host, port, timeout, local_address"),
        (
            "except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:",
            "except httpcore2.ConnectTimeout as error:",
        ),
    ),
    *mutations(
        "text/addresses.py",
        "test_addresses.py",
        ('"100.64.0.0/10"', '"100.64.0.0/11"'),
        ('"172.16.0.0/12"', '"172.16.0.0/13"'),
        ('"2001:db8::/32"', '"2001:db8::/33"'),
        ("and all(is_public(str(each)) for each in _carried(ip))", ""),
        ("if ip.sixtofour is not None:", "if ip.sixtofour is not None and not ip.is_global:"),
        ('host == "localhost" or host.endswith(".localhost")', 'host == "localhost"'),
    ),
    *mutations(
        "fetch/_decode.py",
        "fetch/test_decode.py",
        ("return not self._kept and (self._stream is None or self._stream.eof)", "return True"),
        ("if self._taken_bytes > most_bytes:", "if self._taken_bytes > 1000 * most_bytes:"),
        ("for name in reversed(codings)", "for name in codings"),
        (
            "zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS",
            "zlib.MAX_WBITS if has_header else zlib.MAX_WBITS",
        ),
        ("bool(self._stream) and not self.further.startswith(data[:2])", "bool(self._stream)"),
    ),
    *mutations(
        "fetch/_retry.py",
        "fetch/test_retry.py fetch/test_waits.py",
        ("if status != 403 and status not in RETRIED:", "if status not in RETRIED:"),
        ('"1" if status == 403 else "0"', '"0"'),
        ("2.0 ** min(attempt - 1, 30)", "2.0 ** min(attempt, 30)"),
        ("or self._seconds_left <= 0", ""),
        ("or self._stubborn >= STUBBORN_TRIES", ""),
        ("if 0 <= seconds <= ABSURD_SECONDS", "if 0 <= seconds"),
    ),
    *mutations(
        "fetch/_pace.py",
        "fetch/test_pace.py fetch/test_waits.py",
        ("if began >= self._slowed_at:", "if True:"),
        ("if left > self._max_wait:", "if left > 2 * self._max_wait:"),
        ("before is None or before.until < wait.until", "True"),
        ("        if self._held(host) is not None:\n", "        if False:\n"),
        ("and not is_retry and", "and"),
        ("self._slowed *= FASTER", "self._slowed = 0.0"),
    ),
    *mutations(
        "fetch/_robots.py",
        "fetch/test_robots.py",
        ("read.status >= 500 or read.status == 429", "read.status >= 500"),
        ("read if 0 <= self._now() - read.read_at < kept_seconds else None", "read"),
        ("if not _is_failure(read) and (origin", "if (origin"),
        ("name if name in (token, '*') else '~'", "name"),
        (
            "max(delay, min(rate.seconds, LONGEST_SECONDS) / rate.requests if rate else 0.0)",
            "delay",
        ),
        ('"utf-8-sig"', '"utf-8"'),
        ("return await asyncio.shield(task)", "return await task"),
    ),
)
