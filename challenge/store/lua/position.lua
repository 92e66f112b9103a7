#!lua
-- How many entries of a shard stand before a score and player (better, or tied with a
-- smaller id), by bisection among the ties; the player need not be on this shard.
-- KEYS[1]  zset  scores (player by negative score)
-- ARGV[1]  negative score
-- ARGV[2]  player
-- Returns the number of entries before.

-- By bytes, as the zset itself: Lua's own `<` follows the locale the server was started in.
local function before(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then
      return x < y
    end
  end
  return #a < #b
end

local low = redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. ARGV[1])
local high = redis.call('ZCOUNT', KEYS[1], '-inf', ARGV[1])
while low < high do
  local middle = math.floor((low + high) / 2)
  if before(redis.call('ZRANGE', KEYS[1], middle, middle)[1], ARGV[2]) then
    low = middle + 1
  else
    high = middle
  end
end
return low
