#!lua
-- Write a player's log once more as it stands, so that there is a write to wait for.
-- KEYS[1]  hash  games (player -> log)
-- ARGV[1]  player
-- Returns 1 if there is such a game.
local log = redis.call('HGET', KEYS[1], ARGV[1])
if not log then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], log)
return 1
