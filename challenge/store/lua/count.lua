#!lua
-- Count within a span of time that begins with its first count; what comes to nothing goes.
-- KEYS[1]  string  the count
-- ARGV[1]  how much is added; negative gives back
-- ARGV[2]  the span in milliseconds
-- ARGV[3]  milliseconds that were left when that was counted which is given back
-- Returns the count as it is now, and the milliseconds until its span ends.
local left = redis.call('PTTL', KEYS[1])
if tonumber(ARGV[1]) < 0 and left > tonumber(ARGV[3]) then
  -- Another span, in which it was not counted: to give it back here would make room for one more.
  return {tonumber(redis.call('GET', KEYS[1])), left}
end
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
if count <= 0 then
  redis.call('DEL', KEYS[1])
  return {0, 0}
end
if left < 0 then
  left = tonumber(ARGV[2])
  redis.call('PEXPIRE', KEYS[1], left)
end
return {count, left}
