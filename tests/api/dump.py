"""Everything a Redis holds, as plain values, to compare before and after."""

from __future__ import annotations

from typing import Any

import redis


def dump(url: str) -> dict[bytes, Any]:
    """Key -> (type, whole value, whether it expires)."""
    with redis.Redis.from_url(url) as client:
        return {key: _value(client, key) for key in client.scan_iter(count=1000)}


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
