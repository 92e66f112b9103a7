#!lua
-- Count within a span of time that begins with its first count; what comes to nothing goes.
-- KEYS[1]  string  the count
-- ARGV[1]  how much is added; negative gives back
-- ARGV[2]  the span in seconds
-- Returns the count as it is now.
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
if count <= 0 then
  redis.call('DEL', KEYS[1])
  return 0
end
if redis.call('TTL', KEYS[1]) < 0 then
  redis.call('EXPIRE', KEYS[1], ARGV[2])
end
return count
