"""Everything kept in Redis: keys, client, scripts, boards, games, players; the embedded server."""
