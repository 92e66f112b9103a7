"""Everything a Redis holds, as plain values, to compare before and after.

Reading a page counts for the minute's limit of the address; that is no trace of the reader,
and is left out unless it is asked for.
"""

from __future__ import annotations

from typing import Any

import redis


def dump(url: str, *, reads: bool = False) -> dict[bytes, Any]:
    """Key -> (type, whole value, whether it expires); ``reads`` with the counts of pages."""
    with redis.Redis.from_url(url) as client:
        names = list(client.scan_iter(count=1000)) if reads else written(client)
        return {key: _value(client, key) for key in names}


def written(client: redis.Redis) -> list[bytes]:
    """All keys but the counts of pages."""
    found = client.scan_iter(count=1000)
    return [key for key in found if not (key.startswith(b"sd1:limits") and b"/pages/" in key)]


def _value(client: redis.Redis, key: bytes) -> Any:
    kind = client.type(key)
    read = {
        b"string": client.get,
        b"hash": client.hgetall,
        b"set": client.smembers,
        b"list": lambda key: client.lrange(key, 0, -1),
        b"zset": lambda key: client.zrange(key, 0, -1, withscores=True),
        b"stream": client.xrange,
    }[kind]
    return kind, read(key), client.ttl(key) >= 0
