#!lua
-- Give a group another invite; the one before is void from then on.
-- KEYS[1]  hash  group (name, owner, nonce, created)
-- ARGV[1]  caller
-- ARGV[2]  nonce of the new invite
-- Returns barred (the caller is not the owner) or done.
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then
  return 'barred'
end
redis.call('HSET', KEYS[1], 'nonce', ARGV[2])
return 'done'
