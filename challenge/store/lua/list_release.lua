#!lua
-- Give a place in a player's list of groups back, unless it was taken anew since.
-- KEYS[1]  zset  groups of the player (group by when, in seconds)
-- ARGV[1]  group
-- ARGV[2]  the moment noted when it was taken
-- Returns 1 if the place was given back.
local noted = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not noted or tonumber(noted) ~= tonumber(ARGV[2]) then
  return 0
end
return redis.call('ZREM', KEYS[1], ARGV[1])
