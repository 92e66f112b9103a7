#!lua
-- Take a place in a player's list of groups, or take it anew.
-- KEYS[1]  zset  groups of the player (group by when, in seconds)
-- ARGV[1]  group
-- ARGV[2]  when
-- ARGV[3]  how many groups the list holds at most
-- Returns the moment noted, or 0 where the list is full. A moment noted before is always
-- passed: so who gives a place back by its moment never gives back a newer one.
local before = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not before and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then
  return 0
end
local when = tonumber(ARGV[2])
if before and tonumber(before) >= when then
  when = tonumber(before) + 1
end
redis.call('ZADD', KEYS[1], when, ARGV[1])
return when
