#!lua
-- Note what the choices of a player's game say, unless the game was erased meanwhile.
-- KEYS[1]  hash  games (player -> log)
-- KEYS[2]  hash  evidence (player -> what the choices say)
-- KEYS[3]  set   players listed apart
-- ARGV[1]  player
-- ARGV[2]  the evidence
-- ARGV[3]  '1' where the game is listed apart
-- Returns 1 if there is such a game.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return 0
end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
if ARGV[3] == '1' then
  redis.call('SADD', KEYS[3], ARGV[1])
else
  redis.call('SREM', KEYS[3], ARGV[1])
end
return 1
