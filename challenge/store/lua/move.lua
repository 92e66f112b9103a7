#!lua
-- Append one action to a log if and only if the log still has the expected length; the
-- last entry of a game also puts its score on the board, unless the board is closed.
-- KEYS[1]  hash    games (player -> log)
-- KEYS[2]  string  closed mark of the shard
-- KEYS[3]  zset    scores (player by negative score)
-- KEYS[4]  hash    histogram (score -> players)
-- KEYS[5]  set     unsettled players
-- ARGV[1]  player
-- ARGV[2]  ply: length the log must have
-- ARGV[3]  the action, one byte
-- ARGV[4]  the final score with the last entry, else ''
-- ARGV[5]  '1' while the caller's clock says that the board still counts
-- Returns {status, 1 if the shard is closed}, status one of missing, conflict (another action
-- stands at this ply, or none before it), same (this one stands there already) and done; or
-- {'counted', 0, histogram} when the score went onto the board.
local closed = redis.call('EXISTS', KEYS[2])
local log = redis.call('HGET', KEYS[1], ARGV[1])
if not log then
  return {'missing', closed}
end
local ply = tonumber(ARGV[2])
if #log > ply and string.sub(log, ply + 1, ply + 1) == ARGV[3] then
  return {'same', closed}
end
if #log ~= ply then
  return {'conflict', closed}
end
redis.call('HSET', KEYS[1], ARGV[1], log .. ARGV[3])
if ARGV[4] == '' or ARGV[5] ~= '1' or closed == 1 then
  return {'done', closed}
end
if redis.call('ZADD', KEYS[3], 'NX', -tonumber(ARGV[4]), ARGV[1]) == 1 then
  redis.call('HINCRBY', KEYS[4], ARGV[4], 1)
  redis.call('SADD', KEYS[5], ARGV[1])
end
return {'counted', closed, redis.call('HGETALL', KEYS[4])}
