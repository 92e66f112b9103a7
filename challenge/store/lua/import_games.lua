#!lua
-- Put games of one shard there, each whole or not at all, as their own moves would have.
-- KEYS[1]  hash    games (player -> log)
-- KEYS[2]  string  closed mark of the shard; '2' where it keeps no games any more
-- KEYS[3]  zset    scores (player by negative score)
-- KEYS[4]  hash    histogram (score -> players)
-- KEYS[5]  set     unsettled players
-- KEYS[6]  string  number of daily games begun
-- KEYS[7]  hash    evidence (player -> what the choices say)
-- KEYS[8]  set     players listed apart
-- ARGV     player, log, score or '', '1' if unsettled, evidence or '', '1' if listed apart;
--          and so on for every game
-- Returns one word a game: new, further (the log goes on where the one here ends), same,
-- behind (the one here goes on further), other (another game is here; it stays) or gone.
local mark = redis.call('GET', KEYS[2])

local function put(player, log, score, unsettled, evidence, apart)
  if mark == '2' then
    return 'gone'
  end
  local here = redis.call('HGET', KEYS[1], player)
  local word = 'same'
  if not here then
    word = 'new'
  elseif here ~= log then
    if string.sub(here, 1, #log) == log then
      return 'behind'
    elseif string.sub(log, 1, #here) ~= here then
      return 'other'
    end
    word = 'further'
  end
  redis.call('HSET', KEYS[1], player, log)
  if word == 'new' and not mark then
    redis.call('INCR', KEYS[6])
  end
  if score ~= '' and redis.call('ZADD', KEYS[3], 'NX', -tonumber(score), player) == 1 then
    redis.call('HINCRBY', KEYS[4], score, 1)
    if unsettled == '1' then
      redis.call('SADD', KEYS[5], player)
    end
  end
  if evidence ~= '' then
    redis.call('HSETNX', KEYS[7], player, evidence)
  end
  if apart == '1' then
    redis.call('SADD', KEYS[8], player)
  end
  return word
end

local words = {}
for i = 1, #ARGV, 6 do
  words[#words + 1] = put(ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3], ARGV[i + 4], ARGV[i + 5])
end
return words
