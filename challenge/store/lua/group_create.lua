#!lua
-- Make a group with one member, its owner, unless it exists.
-- KEYS[1]  hash  group (name, owner, nonce, created)
-- KEYS[2]  zset  members (player by when, in seconds)
-- ARGV[1]  owner
-- ARGV[2]  name
-- ARGV[3]  nonce of the invite
-- ARGV[4]  when
-- Returns 1 if that player is in the group now, made just now or before.
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call(
    'HSET', KEYS[1], 'name', ARGV[2], 'owner', ARGV[1], 'nonce', ARGV[3], 'created', ARGV[4]
  )
  redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
  return 1
end
return redis.call('ZSCORE', KEYS[2], ARGV[1]) and 1 or 0
