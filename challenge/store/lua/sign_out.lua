#!lua
-- Begin another epoch of a player's tokens; who sends the same again gets the same answer.
-- KEYS[1]  hash    profile (epoch of valid tokens)
-- KEYS[2]  string  the last sign-out, a keyed hash; lives as long as it may be sent again
-- ARGV[1]  epoch of the caller's token
-- ARGV[2]  this sign-out, a keyed hash
-- ARGV[3]  seconds in which it may be sent again
-- Returns the epoch of the tokens to come, or -1 where the caller's token is void.
local epoch = tonumber(redis.call('HGET', KEYS[1], 'epoch') or '0')
local asked = tonumber(ARGV[1])
if epoch == asked then
  redis.call('SET', KEYS[2], ARGV[2], 'EX', ARGV[3])
  return redis.call('HINCRBY', KEYS[1], 'epoch', 1)
end
if epoch == asked + 1 and redis.call('GET', KEYS[2]) == ARGV[2] then
  return epoch
end
return -1
