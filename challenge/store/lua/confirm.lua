#!lua
-- Write a finished log once more as it stands, so that there is a write to wait for.
-- KEYS[1]  hash  games (player -> log)
-- ARGV[1]  player
-- ARGV[2]  the log that was read; after a failover it may be shorter than that
-- Returns 1 if this is still the log.
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
