import { fileURLToPath } from 'node:url';
import { luaModuleName, runUnderLuaJit } from '@cordon/plugin-kit/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { runnerTypes } from '../../build-lua.ts';

const relayFile = fileURLToPath(new URL('./hint-relay.ts', import.meta.url));
const streamsFile = fileURLToPath(new URL('./http2-interim.ts', import.meta.url));

/** A worker's nginx, whose timers run when they are told to, with visitors that are streams by their names. */
const WORKER = `
  local timers, hasTimers, now, sent, answered, broken = {}, true, 1000, {}, {}, nil
  local told = {}
  ngx = {
    now = function() return now end,
    sleep = coroutine.yield,
    req = { get_method = function() return 'GET' end },
    var = {},
    worker = { exiting = function() return false end },
    shared = {
      cordon_meta = { incr = function() end, safe_set = function() end },
      cordon_hints = {
        get = function(_, key) return told[key] end,
        set = function(_, key, value) told[key] = value end,
        delete = function(_, key) told[key] = nil end,
      },
    },
    timer = {
      at = function(_, work)
        if not hasTimers then return nil, 'too many pending timers' end
        timers[#timers + 1] = coroutine.wrap(work)
        return 1
      end,
    },
  }
  package.loaded['resty.core.base'] = { get_request = function() return ngx.var.cordon_request_id end }
  package.loaded['${luaModuleName(streamsFile)}'] = {
    streamOf = function(_, request) return request end,
    isAwaitingAnswer = function(_, stream)
      if stream == broken then error('broken') end
      return not answered[stream]
    end,
    sendEarlyHints = function(_, stream, links) sent[#sent + 1] = stream .. ':' .. table.concat(links, '+') end,
  }
  package.loaded['${luaModuleName(relayFile)}'] = nil
  local relay = require('${luaModuleName(relayFile)}')
  local function await(visitor) ngx.var = { cordon_request_id = visitor, http2 = 'h2' }; relay.awaitHints(nil) end
  local function tell(visitor, link)
    relay.tellHints(nil, visitor, { status = 103, fields = { { 'Link', link } }, isHinted = false })
  end
  local function tick()
    local ended = {}
    for at, timer in ipairs(timers) do
      if not pcall(timer, false) then ended[#ended + 1] = at end
    end
    for at = #ended, 1, -1 do table.remove(timers, ended[at]) end
  end
`;

interface Case {
  readonly title: string;
  readonly script: string;
  /** A line for each `print`. */
  readonly printed: readonly string[];
}

const CASES: readonly Case[] = [
  {
    title: 'are looked for by one timer, however many visitors wait, and by none once they are answered',
    script: `
      for at = 1, 5 do await('visitor ' .. at) end
      tick()
      print(#timers)
      tell('visitor 3', '</a.css>')
      tick()
      print(table.concat(sent, ' '))
      for at = 1, 5 do answered['visitor ' .. at] = true end
      tick(); tick()
      print(#timers)
      await('another')
      print(#timers)`,
    printed: ['1', 'visitor 3:</a.css>', '0', '1'],
  },
  {
    title: 'reach later visitors, whatever looking for those of others came to',
    script: `
      await('one'); await('other')
      tick()
      broken = 'one'
      tick(); tick()
      await('later')
      tell('later', '</a.css>')
      tick(); tick()
      print(table.concat(sent, ' '))`,
    printed: ['later:</a.css>'],
  },
  {
    title: 'reach later visitors, though no timer could be had for any number before',
    script: `
      hasTimers = false
      for at = 1, 1000 do await('visitor ' .. at) end
      hasTimers = true
      await('later')
      tell('later', '</a.css>')
      tick(); tick()
      print(table.concat(sent, ' '))`,
    printed: ['later:</a.css>'],
  },
  {
    title: 'reach later visitors, though the timer for any number before never ran',
    script: `
      for at = 1, 1000 do await('visitor ' .. at) end
      timers = {}
      now = now + 2
      await('later')
      tell('later', '</a.css>')
      tick(); tick()
      print(table.concat(sent, ' '))`,
    printed: ['later:</a.css>'],
  },
  {
    title: 'are looked for by the last timer where another one was slow',
    script: `
      await('one')
      tick()
      now = now + 2
      await('later')
      tick(); tick(); tick()
      print(#timers)
      tell('later', '</a.css>')
      tick()
      print(table.concat(sent, ' '))`,
    printed: ['1', 'later:</a.css>'],
  },
  {
    title: 'are waited for by no visitor of HTTP/1, of whose request nothing is looked into',
    script: `
      local asked = 0
      package.loaded['resty.core.base'].get_request = function() asked = asked + 1; return 'one' end
      package.loaded['${luaModuleName(relayFile)}'] = nil
      relay = require('${luaModuleName(relayFile)}')
      ngx.var = { cordon_request_id = 'one', http2 = '' }
      relay.awaitHints(nil)
      print(asked, #timers)
      await('one')
      print(asked, #timers)`,
    printed: ['0 0', '1 1'],
  },
  {
    title: 'are waited for by 256 visitors of a worker at most',
    script: `
      for at = 1, 257 do await('visitor ' .. at) end
      tick()
      for at = 1, 257 do tell('visitor ' .. at, '</a.css>') end
      tick(); tick()
      print(#sent)`,
    printed: ['256'],
  },
  {
    title: 'are not looked for any more ten seconds later',
    script: `
      await('one')
      tick()
      now = now + 11
      tell('one', '</a.css>')
      tick(); tick()
      print(#sent, #timers)`,
    printed: ['0 0'],
  },
];

describe('hints that the fetching server has met', () => {
  let printed: string[] = [];
  beforeAll(() => {
    const scripts = CASES.map(({ script }) => `do ${WORKER} ${script} end io.write('\\1')`);
    printed = runUnderLuaJit([relayFile], scripts.join('\n'), runnerTypes).split('\u0001');
  });

  it.each(CASES.map((row, at) => [row.title, at, row.printed] as const))('%s', (_, at, expected) => {
    expect(printed[at]?.trim().replaceAll('\t', ' ').split('\n')).toEqual(expected);
  });
});
