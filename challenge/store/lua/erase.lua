#!lua
-- Take a player's game off a board: log, score, its count in the histogram, what was worked
-- out about it; all or nothing, and harmless when repeated.
-- KEYS[1]  hash    games (player -> log)
-- KEYS[2]  zset    scores (player by negative score)
-- KEYS[3]  hash    histogram (score -> players)
-- KEYS[4]  set     unsettled players
-- KEYS[5]  string  number of daily games begun
-- KEYS[6]  string  closed mark of the shard; while it is not set every game is a daily one,
--                  '2' says that it keeps no games and only the best scores
-- KEYS[7]  hash    evidence (player -> what the choices say)
-- KEYS[8]  set     players listed apart
-- KEYS[9]  set     players erased since the close, by MARK
-- ARGV[1]  player
-- ARGV[2]  the score in the player's record, else ''
-- ARGV[3]  MARK of the player on this board
-- ARGV[4]  seconds the marks are kept
-- Returns 1 if there was a game.
local state = redis.call('GET', KEYS[6])
local score = redis.call('ZSCORE', KEYS[2], ARGV[1])
local bin = score and string.format('%d', -tonumber(score))
if not bin and state == '2' and ARGV[2] ~= '' then
  -- The score was cut off the list: only the mark tells whether its count has gone already.
  bin = redis.call('SISMEMBER', KEYS[9], ARGV[3]) == 0 and ARGV[2]
end
if bin then
  if redis.call('HINCRBY', KEYS[3], bin, -1) <= 0 then
    redis.call('HDEL', KEYS[3], bin)
  end
  redis.call('ZREM', KEYS[2], ARGV[1])
  if state then
    redis.call('SADD', KEYS[9], ARGV[3])
    redis.call('EXPIRE', KEYS[9], ARGV[4])
  end
end
redis.call('SREM', KEYS[4], ARGV[1])
redis.call('HDEL', KEYS[7], ARGV[1])
redis.call('SREM', KEYS[8], ARGV[1])
local had = redis.call('HDEL', KEYS[1], ARGV[1])
if (had == 1 and (bin or not state)) or (bin and state == '2') then
  redis.call('DECR', KEYS[5])
end
return (had == 1 or bin) and 1 or 0
