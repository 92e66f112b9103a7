#!lua
-- Begin a player's game unless it exists.
-- KEYS[1]  hash    games (player -> log)
-- KEYS[2]  string  closed mark of the shard; '2' where it keeps no games any more
-- KEYS[3]  string  number of daily games begun
-- ARGV[1]  player
-- Returns {1 if the game is new, its log}; {-1, ''} where no game is kept.
local mark = redis.call('GET', KEYS[2])
if mark == '2' then
  return {-1, ''}
end
local log = redis.call('HGET', KEYS[1], ARGV[1])
if log then
  return {0, log}
end
redis.call('HSET', KEYS[1], ARGV[1], '')
if not mark then
  redis.call('INCR', KEYS[3])
end
return {1, ''}
