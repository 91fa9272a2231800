import { edgeKit } from '@cordon/plugin-kit/edge-kit';
import { createPlainContext } from '@cordon/plugin-kit/plain-context';
import { answerAfter, testPluginCases } from '@cordon/plugin-kit/testing';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { cases } from './cases.ts';
import { handler } from './edge.ts';
import { definition } from './plugin.ts';
import { schema } from './schema.ts';

testPluginCases({ definition, handler, cases, edge: new URL('./edge.ts', import.meta.url) });

type Config = z.input<typeof schema>;

const afterwards = (former: Config, times: number, current: Config) =>
  answerAfter(handler, schema.parse(former), times, schema.parse(current));

const limit: Config = { mode: 'js', maxretry: 3, findtime: 60, bantime: '10m' };

it.each([
  ['mode', { mode: 'puzzle' as const }],
  ['findtime', { findtime: 120 }],
  ['maxretry', { maxretry: 2 }],
  ['bantime', { bantime: '1h' }],
])('begins anew with another setting: %s', (_, change) => {
  expect(afterwards(limit, 3, { ...limit, ...change })).toBe('pass');
  expect(afterwards({ ...limit, ...change }, 3, { ...limit, ...change })).toBe('challenge');
});

/** What visits of one client come to, by their seconds. */
function verdictsAt(config: Parameters<typeof schema.parse>[0], seconds: readonly number[]) {
  const counts = new Map<string, { count: number; until: number }>();
  const prepared = handler.prepare(schema.parse(config), edgeKit, undefined);
  return seconds.map((second) => {
    const now = 1000 + second;
    const get = (key: string) => {
      const held = counts.get(key);
      return held && held.until > now ? held.count : 0;
    };
    const add = (key: string, until: number) => {
      const count = get(key) + 1;
      counts.set(key, { count, until: now + until });
      return count;
    };
    const plain = { method: 'GET', scheme: 'https', host: 'a.test', path: '/', query: '', headers: [] } as const;
    const clientAddress = { family: 4, words: [0xcb007107] } as const;
    const counters = { add, get, forget: (key: string) => void counts.delete(key) };
    const ctx = createPlainContext({ ...plain, clientAddress, country: '', crawler: '', now }, { feeds: {}, counters });
    return handler.access?.(ctx, prepared)?.kind ?? 'pass';
  });
}

it('lets a client that has kept still pass again once bantime is over', () =>
  expect(verdictsAt({ maxretry: 2, findtime: 10, bantime: '1m' }, [0, 1, 30, 60, 62, 63])).toEqual([
    'pass',
    'challenge',
    'challenge',
    'challenge',
    'pass',
    'challenge',
  ]));

it('gives a client all its requests again once bantime is over, also within findtime', () =>
  expect(verdictsAt({ maxretry: 3, findtime: 60, bantime: '10s' }, [0, 0, 0, 5, 11.5, 12, 13, 14, 24])).toEqual([
    'pass',
    'pass',
    'challenge',
    'challenge',
    'pass',
    'pass',
    'challenge',
    'challenge',
    'pass',
  ]));
