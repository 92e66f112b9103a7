#!lua
-- Make a player a member if the invite still holds and a place is left.
-- KEYS[1]  hash  group (name, owner, nonce, created)
-- KEYS[2]  zset  members (player by when, in seconds)
-- ARGV[1]  player
-- ARGV[2]  nonce of the invite
-- ARGV[3]  when
-- ARGV[4]  how many members a group has at most
-- Returns void (no such group, or another invite holds), member (already in), full or joined.
if redis.call('HGET', KEYS[1], 'nonce') ~= ARGV[2] then
  return 'void'
end
if redis.call('ZSCORE', KEYS[2], ARGV[1]) then
  return 'member'
end
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[4]) then
  return 'full'
end
-- After everyone who is in, also within one second: who has been in longest stays known.
local last = redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')[2]
local when = tonumber(ARGV[3])
if last and when <= tonumber(last) then
  when = tonumber(last) + 0.001
end
redis.call('ZADD', KEYS[2], string.format('%.3f', when), ARGV[1])
return 'joined'
