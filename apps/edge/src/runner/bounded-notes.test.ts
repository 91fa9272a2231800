import { fileURLToPath } from 'node:url';
import { luaModuleName, runUnderLuaJit } from '@cordon/plugin-kit/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { runnerTypes } from '../../build-lua.ts';

const notesFile = fileURLToPath(new URL('./bounded-notes.ts', import.meta.url));
const optionsFile = fileURLToPath(new URL('./runner-options.ts', import.meta.url));

/**
 * nginx's shared memory with a clock of its own. As there, what has ended is in it until it is written anew, and has a time left, which is
 * negative.
 */
const MEMORY = `
  local now, entries, whenListed, entriesMax = 0, {}, nil, 1000
  local function live(key)
    local entry = entries[key]
    if entry and (entry.ends == 0 or entry.ends > now) then return entry end
  end
  local function write(key, value, seconds)
    local count = 0
    for other in pairs(entries) do if other ~= key then count = count + 1 end end
    if count >= entriesMax then return nil, 'no memory' end
    entries[key] = { value = value, ends = (seconds or 0) == 0 and 0 or now + seconds }
    return true
  end
  local memory = {}
  function memory:get(key) local entry = live(key); return entry and entry.value end
  function memory:set(key, value, seconds) return write(key, value, seconds) end
  memory.safe_set = memory.set
  function memory:safe_add(key, value, seconds)
    if live(key) then return false, 'exists' end
    return write(key, value, seconds)
  end
  function memory:incr(key, by)
    local entry = live(key)
    if entry then entry.value = entry.value + by; return entry.value end
  end
  function memory:delete(key) entries[key] = nil end
  function memory:expire(key, seconds) entries[key].ends = now + seconds end
  function memory:ttl(key)
    local entry = entries[key]
    if entry then return entry.ends == 0 and 0 or entry.ends - now end
  end
  function memory:flush_expired()
    local count = 0
    for key in pairs(entries) do if not live(key) then entries[key] = nil; count = count + 1 end end
    return count
  end
  function memory:get_keys()
    if whenListed then whenListed() end
    local keys = {}
    for key in pairs(entries) do if live(key) then keys[#keys + 1] = key end end
    return keys
  end
`;

const URLS_MAX = 3;
const SECONDS = 100;

/** What a script may say, of one group. */
const NOTES = `
  local notes = { memory = memory, seconds = ${SECONDS}, whenForgotten = function() end }
  local function wait(seconds) now = now + seconds end
  local function note(url, number, seconds) return module.noteNumber(nil, notes, 'g', url, number, seconds or ${SECONDS}) end
  local function numberOf(url) return module.notedOf(nil, notes, 'g', url) end
  local function floor() return module.floorOf(nil, notes, 'g') end
  local function hasNotes() return module.hasNotes(nil, notes, 'g') end
  local function noteTooMany(from) for number = from, from + ${URLS_MAX} do note('url' .. number, number) end end
  module.beginNotes(nil, notes)
`;

interface Case {
  readonly title: string;
  readonly script: string;
  /** A line for each `print`. */
  readonly printed: readonly string[];
}

const CASES: readonly Case[] = [
  {
    title: 'are known for as long as any of the group is noted again and again',
    script: `
      note('a', 1)
      for number = 2, 5 do wait(60); note('a', number) end
      print(hasNotes(), numberOf('a'))
      wait(99)
      print(hasNotes(), numberOf('a'))
      wait(1)
      print(hasNotes(), numberOf('a'))`,
    printed: ['true 5', 'true 5', 'false 0'],
  },
  {
    title: 'begin anew where their time is over',
    script: `
      print(note('a', 1), note('b', 2))
      wait(150)
      print(hasNotes(), numberOf('a'))
      print(note('a', 3), hasNotes(), numberOf('a'))
      wait(99)
      print(hasNotes(), numberOf('a'))`,
    printed: ['true false', 'false 0', 'true true 3', 'true 3'],
  },
  {
    title: 'end no earlier for being noted again for a shorter time',
    script: `
      note('a', 1)
      note('a', 2, 10)
      wait(50)
      print(hasNotes(), numberOf('a'))`,
    printed: ['true 2'],
  },
  {
    title: 'give way to a floor where a group has too many, and those of another group stay',
    script: `
      module.noteNumber(nil, notes, 'other', 'a', 1, ${SECONDS})
      noteTooMany(2)
      print(floor(), numberOf('url2'), numberOf('url5'))
      print(module.floorOf(nil, notes, 'other'), module.notedOf(nil, notes, 'other', 'a'))`,
    printed: ['5 0 0', '0 1'],
  },
  {
    title: 'are counted without those whose time is over, before any give way',
    script: `
      note('a', 1, 10); note('b', 2, 10)
      wait(20)
      note('c', 3)
      print(note('d', 4), floor(), numberOf('c'), numberOf('d'))
      print(note('e', 5), note('f', 6), floor())`,
    printed: ['false 0 3 4', 'false true 6'],
  },
  {
    title: 'are counted once where they found room at the second try only',
    script: `
      note('a', 1, 10); note('b', 2)
      entriesMax = 5
      wait(20)
      note('c', 3)
      print(memory:get('n:g'))`,
    printed: ['3'],
  },
  {
    title: 'are counted anew where their time was over',
    script: `
      note('a', 1, 10)
      wait(20)
      note('a', 2)
      print(memory:get('n:g'))`,
    printed: ['2'],
  },
  {
    title: 'have the room of those whose time is over, before any give way',
    script: `
      note('a', 1, 10); note('b', 2, 10)
      entriesMax = 5
      wait(20)
      note('c', 3)
      print(floor(), numberOf('c'))`,
    printed: ['0 3'],
  },
  {
    title: 'give way to a floor of all where there is no room for any',
    script: `
      entriesMax = 1
      print(note('a', 3), floor(), module.floorOf(nil, notes, 'other'))`,
    printed: ['true 3 3'],
  },
  {
    title: 'stay where another worker notes them while the group is forgotten',
    script: `
      for number = 1, ${URLS_MAX} do note('url' .. number, number) end
      local listed = 0
      -- Counted first, then forgotten.
      whenListed = function() listed = listed + 1; if listed == 2 then whenListed = nil; note('later', 9) end end
      note('too many', 8)
      print(floor(), numberOf('url1'), numberOf('later'))`,
    printed: ['8 0 9'],
  },
  {
    title: 'go back to no lower number, whichever worker comes last',
    script: `
      note('a', 5)
      note('a', 4)
      print(numberOf('a'))
      noteTooMany(11)
      local before = floor()
      noteTooMany(1)
      print(before, floor())`,
    printed: ['5', '13 13'],
  },
];

describe('numbers of single URLs', () => {
  let printed: string[] = [];
  beforeAll(() => {
    const scripts = CASES.map(({ script }) => `do ${MEMORY} ${NOTES} ${script} end io.write('\\1')`);
    const all = runUnderLuaJit(
      [notesFile, optionsFile],
      `require('${luaModuleName(optionsFile)}').options.limits = { changes_per_domain = ${URLS_MAX} }
      local module = require('${luaModuleName(notesFile)}')
      ${scripts.join('\n')}`,
      runnerTypes,
    );
    printed = all.split('\u0001');
  });

  it.each(CASES.map((row, at) => [row.title, at, row.printed] as const))('%s', (_, at, expected) => {
    expect(printed[at]?.trim().replaceAll('\t', ' ').split('\n')).toEqual(expected);
  });
});
