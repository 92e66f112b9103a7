#!lua
-- Make another member the owner of a group.
-- KEYS[1]  hash  group (name, owner, nonce, created)
-- KEYS[2]  zset  members (player by when, in seconds)
-- ARGV[1]  caller
-- ARGV[2]  the member to own it
-- Returns missing (that player is no member), barred (the caller is not the owner) or done.
if not redis.call('ZSCORE', KEYS[2], ARGV[2]) then
  return 'missing'
end
local owner = redis.call('HGET', KEYS[1], 'owner')
if owner == ARGV[2] then
  return 'done'
end
if owner ~= ARGV[1] then
  return 'barred'
end
redis.call('HSET', KEYS[1], 'owner', ARGV[2])
return 'done'
