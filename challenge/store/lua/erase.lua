#!lua
-- Take a player's game off a board: log, score, its count in the histogram, what was worked
-- out about it; all or nothing.
-- KEYS[1]  hash    games (player -> log)
-- KEYS[2]  zset    scores (player by negative score)
-- KEYS[3]  hash    histogram (score -> players)
-- KEYS[4]  set     unsettled players
-- KEYS[5]  string  number of daily games begun
-- KEYS[6]  string  closed mark of the shard; while it is not set every game is a daily one
-- KEYS[7]  hash    evidence (player -> what the choices say)
-- KEYS[8]  set     players listed apart
-- ARGV[1]  player
-- Returns 1 if there was a game.
local score = redis.call('ZSCORE', KEYS[2], ARGV[1])
if score then
  local bin = string.format('%d', -tonumber(score))
  if redis.call('HINCRBY', KEYS[3], bin, -1) <= 0 then
    redis.call('HDEL', KEYS[3], bin)
  end
  redis.call('ZREM', KEYS[2], ARGV[1])
end
redis.call('SREM', KEYS[4], ARGV[1])
redis.call('HDEL', KEYS[7], ARGV[1])
redis.call('SREM', KEYS[8], ARGV[1])
local had = redis.call('HDEL', KEYS[1], ARGV[1])
if had == 1 and (score or redis.call('EXISTS', KEYS[6]) == 0) then
  redis.call('DECR', KEYS[5])
end
return had
