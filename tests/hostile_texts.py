"""What hostile requests are made of: methods, paths, queries, headers, bodies, raw bytes.

Texts hold one character a byte (Latin-1).
"""

from __future__ import annotations

import json

# fmt: off
TODAY = "2026-11-30"
GAME = f"/api/v1/challenges/{TODAY}/yacht/game"
METHODS = ("HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND")
ODD_METHODS = ("get", "GE\xffT", "G" * 300, "PRI", "GET/", "M-SEARCH", "0", "POST\x00")
PLACES = ("/", "/rules", f"/{TODAY}/yacht", "/groups", "/healthz", "/api/v1/me", GAME, "/nowhere")
PATHS = (
    *("//", "///", "/.", "/..", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/%", "/%zz"),
    *("/%00", "/%0d%0aSet-Cookie:%20a=b", "/%ff%fe", "/%c0%af", "/%ed%a0%80", "/\xff", "/a;b=c"),
    *(
        "/%F0%9F%8E%B2",
        "/%e2%80%ae",
        "/*",
        "*",
        "http://evil.example/",
        "http://[::1/",
        "//evil.example",
    ),
    *("/assets/x/../../errors.py", "/assets/x/..%2f..%2ferrors.py", "/assets/../security.py"),
    *("/assets/x/%2e%2e/%2e%2e/wsgi.py", "/assets/x//etc/passwd", "/assets/x/%00.css", "/assets//"),
    *(
        f"/assets/{'x' * 2000}/page.css",
        "/assets/x/C:%5cwindows",
        "/assets/x/page.css/..",
        "/sw.js/",
    ),
    *(f"/{date}/yacht" for date in ("2026-11-31", "0000-00-00", "9999-12-31", "2026-1-1", "today")),
    *(f"/{date}/yacht" for date in ("%D9%A2026-11-30", "2026-11-30%00", "-1-01-01", "1e9-01-01")),
    *(
        f"/{TODAY}/{sheet}"
        for sheet in ("%00", "x" * 3000, "../yacht", "%25", "YACHT", "__class__")
    ),
    *(f"/r/{value}" for value in ("x", "a.b.c", "%00.x", "." * 500, "x" * 3000, "%ff.%fe")),
    *(f"/join/{value}" for value in ("x", "..", "%0a", "A" * 22 + ".x.y")),
    *(f"/transfer/{value}" for value in ("x", "%ff", "0.0.0")),
    *(f"/api/v1/groups/{id}" for id in ("x", "A" * 22, "A" * 21 + "%00", "%2f", "-" * 22)),
    *(f"/api/v1/challenges/{date}/yacht" for date in ("x", "2026-13-01", "%00", "0001-01-01")),
    *(f"/api/v1/challenges/{TODAY}/yacht/{tail}" for tail in ("games/x", "games/%00", "../x", "")),
    *(f"/api/v1/rulesets/{id}" for id in ("%00", "x" * 2000, "%F0%9F%8E%B2", "..", "yacht%0d%0a")),
    *(f"/groups/{id}" for id in ("x", "A" * 22, "%00" * 22)),
    *(f"/operator{tail}" for tail in ("", "/fairplay", "/fairplay/x/y", "/%00")),
    "/" + "a" * 4000,
    "/" + "%41" * 1300,
    "/" + "a/" * 1900,
)
QUERIES = (
    *("?\x80", "?lang=\xff", "?\xc3\x28=1", "?\xf3", "?hold=\xe2\x82"),  # bytes that are no UTF-8
    *("?", "?&&&", "?=", "?a", "?%", "?%zz=%", "?lang=%ff", "?lang=de&lang=xx", "?" + "a=b&" * 900),
    *(
        "?ask=%00",
        "?hold=-1",
        "?hold=1e9",
        "?hold=" + "1" * 3000,
        "?hold=%D9%A1",
        "?coach=1",
        "?joined=%0d%0a",
    ),
    *(
        "?limit=-1",
        "?limit=1e9",
        "?limit=NaN",
        "?limit=%00",
        "?offset=99999999999999999999",
        "?around=me",
    ),
    *(
        "?group=%00",
        "?group=" + "A" * 22,
        "?from=x",
        "?from=9999-12-31&to=0001-01-01",
        "?days=0x10",
    ),
    *(
        "?result=x.y",
        "?result=" + "." * 1000,
        "?ruleset=%ff",
        "?q=" + "%F0%9F%8E%B2" * 100,
        "?lang=../../x",
    ),
)
WITH_QUERY = (
    *("/", f"/{TODAY}/yacht", f"/{TODAY}/yacht/leaderboard", "/rules", "/me", "/groups"),
    *(f"/api/v1/challenges/{TODAY}/yacht/leaderboard", "/api/v1/commitments", "/api/v1/me/stats"),
)
HEADERS: tuple[tuple[str, str], ...] = (
    *(
        ("Host", value)
        for value in ("", "a b", "[::1", "x:y", "localhost:99999", "a" * 3000, "\xff")
    ),
    *(("Host", value) for value in ("evil.example", "../..", "<script>", "localhost, evil", "@")),
    *(("Cookie", value) for value in ("=;;=", "samedice_player", "samedice_player=", ";" * 3000)),
    *(
        ("Cookie", f"samedice_player={value}")
        for value in ("x", "a.b.c", "\xff", "x" * 5000, '"\\"')
    ),
    *(("Cookie", f"lang={value}") for value in ("xx", "\xff", "../de", "de; lang=en", "x" * 2000)),
    *(("Cookie", f"manners={value}") for value in ("x", "\xff", "zero,zero", "x" * 2000)),
    *(("Authorization", value) for value in ("", "Bearer", "Bearer \xff", "Basic x", "B" * 5000)),
    *(("Authorization", value) for value in ("Bearer a.b.c", "bearer " + "x" * 199, "Digest a=b")),
    *(("Accept-Language", value) for value in ("*", "de;q=nan", "x" * 4000, "\xff", "a," * 2000)),
    *(
        ("Accept-Encoding", value)
        for value in ("gzip;q=0,*;q=0", "gzip;q=x", "\xff", "br", "," * 900)
    ),
    *(("Accept", value) for value in ("", "x", "*/*;q=nan", "\xff", "text/html;q=2")),
    *(("If-None-Match", value) for value in ("*", "W/", '"', "\xff", '"a",' * 900)),
    *(("If-Modified-Since", value) for value in ("x", "Thu, 99 Foo 9999 99:99:99 GMT", "\xff")),
    *(("Range", value) for value in ("bytes=0-0", "bytes=-", "bytes=9-1", "x", "bytes=0-0," * 300)),
    *(("X-Forwarded-For", value) for value in ('"', "\xff", "1.1.1.1," * 900, "[::1", "::1%eth0")),
    *(("X-Forwarded-Host", value) for value in ("evil.example", '"', "a b", "\xff")),
    *(("X-Forwarded-Proto", value) for value in ("https", "gopher", "\xff", ",,,")),
    *(("Forwarded", value) for value in ('for="[::1]"', "for=_x;proto=https", "\xff")),
    *(
        ("Origin", value)
        for value in ("null", "http://[::1", "\xff", "x" * 4000, "https://evil.example")
    ),
    *(("Sec-Fetch-Site", value) for value in ("same-origin", "cross-site", "\xff", "")),
    *(
        ("Content-Length", value)
        for value in ("abc", "1e3", "", "99999999999999999999", "0x10", "+1")
    ),
    *(
        ("Content-Type", value)
        for value in ("", "x", "\xff/\xff", "application/json; charset=utf-7")
    ),
    *(("Content-Encoding", value) for value in ("gzip", "deflate", "br", "\xff", "gzip, gzip")),
    *(
        ("Transfer-Encoding", value)
        for value in ("gzip", "identity", "chunked, chunked", "\xff", "xchunked")
    ),
    *(("Expect", value) for value in ("100-continue", "200-ok", "\xff")),
    *(("Upgrade", value) for value in ("h2c", "websocket", "\xff")),
    *(("Samedice-Swap", value) for value in ("1", "\xff", "x" * 2000)),
    *(("User-Agent", value) for value in ("", "\xff" * 500, "${jndi:ldap://x}", "' OR 1=1 --")),
    *(("X-HTTP-Method-Override", value) for value in ("DELETE", "\xff")),
    ("Proxy", "http://evil.example"),
    ("Script-Name", "/evil"),
    ("Referer", "\xff"),
    ("X" * 200, "y"),
)
NUMBERS = (
    "1e400",
    "-1",
    "NaN",
    "Infinity",
    "-0",
    "1.0",
    "9" * 400,
    "0x1",
    "01",
    '"1"',
    "null",
    "[]",
    "true",
)
BODIES: tuple[bytes, ...] = (
    *(
        b"",
        b"{",
        b"}",
        b"[]",
        b"null",
        b'"',
        b"0",
        b"\xff\xfe",
        b"\x00",
        b"{}{}",
        b"\xef\xbb\xbf{}",
    ),
    *(
        b"[" * 2000,
        b'{"a":' * 700,
        b"{" * 4096,
        b'{"name": "' + b"x" * 4000 + b'"}',
        b"[[]," * 1000,
    ),
    *(f'{{"ply": {number}, "hold": []}}'.encode() for number in NUMBERS),
    *(f'{{"ply": 0, "hold": [{number}]}}'.encode() for number in NUMBERS),
    *(
        b'{"ply": 0, "ply": 1, "hold": []}',
        b'{"ply": 0, "hold": [0, 0, 0, 0, 0, 0, 0]}',
        b'{"hold": {}}',
    ),
    *(
        json.dumps({"name": name}).encode()
        for name in ("", " ", "\x00", "\u202e", "\ud800", "x" * 999)
    ),
    *(
        json.dumps({"code": code}).encode()
        for code in ("", "\x00", "0" * 999, "\u0660", "\ud800", 1, None)
    ),
    *(
        json.dumps({"invite": value}).encode()
        for value in ("", "/", "a.b", "\x00", "x" * 999, [], {})
    ),
    *(
        b'{"name": "\\ud800"}',
        b'{"name": "\xc3\x28"}',
        b'{"name": "\\u0000"}',
        b'{"box": "\\uDFFF", "ply": 0}',
    ),
    *(
        b'{"__proto__": {}}',
        b'{"\\u0000": 1}',
        b'{"ply": 0, "box": "' + b"\xf0\x9f\x8e\xb2" * 900 + b'"}',
    ),
)
FORMS: tuple[bytes, ...] = (
    *(
        b"",
        b"=",
        b"&&&",
        b"%",
        b"%zz=%",
        b"\xff=\xfe",
        b"do=roll",
        b"do=\x00",
        b"ply=\xd9\xa0&do=roll",
    ),
    *(
        b"player=",
        b"player=x",
        b"player=a.b.c",
        b"player=" + b"x" * 3000,
        b"player=%ff&ply=0&do=roll",
    ),
    *(b"ply=1e9&do=roll", b"ply=-1&do=roll", b"ply=" + b"9" * 3000, b"hold=9&hold=x&ply=0&do=roll"),
    *(
        b"hold=0&" * 500,
        b"box=%00&ply=0",
        b"zero=\xff&ply=0",
        b"ask=" + b"x" * 3000,
        b"do=coach",
        b"do=quiet",
    ),
    *(
        b"lang=xx",
        b"lang=de&next=//evil.example",
        b"lang=de&next=/%09/evil.example",
        b"lang=de&next=%0d%0aX:y",
    ),
    *(
        b"name=%00",
        b"name=%ff",
        b"name=" + b"%F0%9F%8E%B2" * 300,
        b"code=%00",
        b"code=0000-0000&sure=1",
    ),
)
MULTIPART = (
    ("multipart/form-data", b"--x\r\n\r\n"),
    ("multipart/form-data; boundary=x", b"--x\r\n"),
    ("multipart/form-data; boundary=" + "x" * 500, b"--x--"),
    (
        "multipart/form-data; boundary=x",
        b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n' * 60,
    ),
    ("multipart/form-data; boundary=\xff", b"--\xff--"),
    ('multipart/form-data; boundary="', b'--"--'),
)
JSON_PLACES = (
    "/api/v1/players",
    "/api/v1/transfer",
    "/api/v1/groups/join",
    f"{GAME}/roll",
    f"{GAME}/score",
)
FORM_PLACES = (f"/{TODAY}/yacht", "/language", "/groups", "/transfer", "/manners", "/operator")

HEAD = b"POST /api/v1/players HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
CHUNKED = HEAD + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
BYTES: tuple[bytes, ...] = (
    *(b"\r\n\r\n", b"\x00\r\n\r\n", b"GET\r\n\r\n", b"GET /\r\n\r\n", b"GET  / HTTP/1.1\r\n\r\n"),
    *(
        b"GET / HTTP/0.9\r\n\r\n",
        b"GET / HTTP/2.0\r\n\r\n",
        b"GET / HTTP/1.1.1\r\n\r\n",
        b"GET / X\r\n\r\n",
    ),
    *(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"),
    *(b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",),
    *(b"GET http:// HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",),
    *(b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",),
    *(b"CONNECT * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",),
    *(b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",),
    *(
        b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    ),
    *(
        b"GET / HTTP/1.1\nHost: localhost\n\n\r\n\r\n",
        b"GET / HTTP/1.1\r\n Host: localhost\r\n\r\n",
    ),
    *(
        b"GET / HTTP/1.1\r\nHost: a\r\nX\x00: y\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: y\x00\r\n\r\n",
    ),
    *(b"GET / HTTP/1.1\r\nHost: a\r\nX : y\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\n: y\r\n\r\n"),
    *(
        b"GET / HTTP/1.1\r\nHost: a\r\nX: y\r\n folded\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX:\ry\r\n\r\n",
    ),
    *(b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: y\r\n" * 200 + b"\r\n",),
    *(
        b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"y" * 20_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 9000 + b"\r\n\r\n",
    ),
    *(
        HEAD + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        HEAD + b"Content-Length: 2, 2\r\n\r\n{}",
    ),
    *(HEAD + b"Content-Length: -1\r\n\r\n{}", HEAD + b"Content-Length: 5000\r\n\r\n{}"),
    *(HEAD + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",),
    *(
        HEAD + b"Transfer-Encoding: " + kind + b"\r\n\r\n0\r\n\r\n"
        for kind in (b"x", b"gzip", b"gzip, chunked")
    ),
    *(HEAD + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",),
    *(
        CHUNKED + chunk
        for chunk in (b"0\r\n\r\n", b"zz\r\n\r\n", b"-2\r\n{}\r\n", b"2\r\n{}XX0\r\n\r\n")
    ),
    *(
        CHUNKED + chunk
        for chunk in (b"0x2\r\n{}\r\n0\r\n\r\n", b"2;" + b"x" * 90 + b"\r\n{}\r\n0\r\n\r\n")
    ),
    *(CHUNKED + chunk for chunk in (b"2\n{}\n0\n\n\r\n\r\n", b"\r\n\r\n", b"F" * 90 + b"\r\n\r\n")),
    *(CHUNKED + b"0\r\nX: y\r\n\r\n", CHUNKED + b"2\r\n{}\r\n0\r\nbad trailer\r\n\r\n"),
    *(
        CHUNKED + b"1\r\n{\r\n" * 900 + b"0\r\n\r\n",
        CHUNKED + b"1000\r\n" + b"x" * 4096 + b"\r\n0\r\n\r\n",
    ),
)
"""What no library would send: broken first lines, heads, lengths and chunks."""
