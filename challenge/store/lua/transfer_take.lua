#!lua
-- Use a transfer code up; who sends the same take again gets the same answer.
-- KEYS[1]  string  ID~EPOCH~EXPIRY, once taken also ~TAKE
-- ARGV[1]  the take, a keyed hash
-- Returns ID~EPOCH~EXPIRY, or nil where there is no code or another take was first.
local found = redis.call('GET', KEYS[1])
if not found then
  return false
end
local offer, take = string.match(found, '^([^~]*~[^~]*~[^~]*)~?(.*)$')
if take == ARGV[1] then
  return offer
end
if take ~= '' then
  return false
end
redis.call('SET', KEYS[1], offer .. '~' .. ARGV[1], 'KEEPTTL')
return offer
