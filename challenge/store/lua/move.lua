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
-- Returns {'missing'}, {'conflict', log}, {'same', log}, {'done', log} or, when the score
-- went onto the board, {'counted', log, histogram}.
local log = redis.call('HGET', KEYS[1], ARGV[1])
if not log then
  return {'missing'}
end
local ply = tonumber(ARGV[2])
if #log > ply and string.sub(log, ply + 1, ply + 1) == ARGV[3] then
  return {'same', log}
end
if #log ~= ply then
  return {'conflict', log}
end
log = log .. ARGV[3]
redis.call('HSET', KEYS[1], ARGV[1], log)
if ARGV[4] == '' or ARGV[5] ~= '1' or redis.call('EXISTS', KEYS[2]) == 1 then
  return {'done', log}
end
if redis.call('ZADD', KEYS[3], 'NX', -tonumber(ARGV[4]), ARGV[1]) == 1 then
  redis.call('HINCRBY', KEYS[4], ARGV[4], 1)
  redis.call('SADD', KEYS[5], ARGV[1])
end
return {'counted', log, redis.call('HGETALL', KEYS[4])}
