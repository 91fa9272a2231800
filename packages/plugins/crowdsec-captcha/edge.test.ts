import { edgeKit } from '@cordon/plugin-kit/edge-kit';
import { createPlainContext } from '@cordon/plugin-kit/plain-context';
import { testPluginCases } from '@cordon/plugin-kit/testing';
import { expect, it } from 'vitest';
import { cases } from './cases.ts';
import { handler } from './edge.ts';
import { definition } from './plugin.ts';
import { schema } from './schema.ts';

testPluginCases({ definition, handler, cases, edge: new URL('./edge.ts', import.meta.url) });

it('lets a client that has kept still pass again once bantime is over', () => {
  const counts = new Map<string, { count: number; until: number }>();
  const prepared = handler.prepare(schema.parse({ maxretry: 2, findtime: 10, bantime: '1m' }), edgeKit, undefined);
  const verdictAt = (now: number) => {
    const get = (key: string) => {
      const held = counts.get(key);
      return held && held.until > now ? held.count : 0;
    };
    const add = (key: string, seconds: number) => {
      const count = get(key) + 1;
      counts.set(key, { count, until: now + seconds });
      return count;
    };
    const plain = { method: 'GET', scheme: 'https', host: 'a.test', path: '/', query: '', headers: [] } as const;
    const clientAddress = { family: 4, words: [0xcb007107] } as const;
    const counters = { add, get, forget: (key: string) => void counts.delete(key) };
    const ctx = createPlainContext({ ...plain, clientAddress, country: '', crawler: '', now }, { feeds: {}, counters });
    return handler.access?.(ctx, prepared)?.kind;
  };
  expect([0, 1, 30, 60, 62, 63].map((seconds) => verdictAt(1000 + seconds))).toEqual([
    undefined,
    'challenge',
    'challenge',
    'challenge',
    undefined,
    'challenge',
  ]);
});
