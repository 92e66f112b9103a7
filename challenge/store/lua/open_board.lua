#!lua
-- Note a board once, when it opens; later calls only read what was noted.
-- KEYS[1]  hash   note of the board
-- ARGV     field, value, field, value, …  (time and all settings come in here)
-- Returns the note as field, value, …
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('HSET', KEYS[1], unpack(ARGV))
end
return redis.call('HGETALL', KEYS[1])
