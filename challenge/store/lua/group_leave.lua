#!lua
-- Take a member out of a group, by the member or by the owner. Where the owner goes, who
-- has been in longest owns it; with the last member the group goes.
-- KEYS[1]  hash  group (name, owner, nonce, created)
-- KEYS[2]  zset  members (player by when, in seconds)
-- ARGV[1]  caller
-- ARGV[2]  the member to take out
-- Returns missing (that player is no member), barred (the caller is not the owner) or done.
local owner = redis.call('HGET', KEYS[1], 'owner')
if ARGV[1] ~= ARGV[2] and owner ~= ARGV[1] then
  return 'barred'
end
if redis.call('ZREM', KEYS[2], ARGV[2]) == 0 then
  return 'missing'
end
local oldest = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
if not oldest then
  redis.call('DEL', KEYS[1])
elseif owner == ARGV[2] then
  redis.call('HSET', KEYS[1], 'owner', oldest)
end
return 'done'
