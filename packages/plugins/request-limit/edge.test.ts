import { edgeKit } from '@cordon/plugin-kit/edge-kit';
import { createPlainContext, createPlainState } from '@cordon/plugin-kit/plain-context';
import { testPluginCases } from '@cordon/plugin-kit/testing';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { cases } from './cases.ts';
import { handler } from './edge.ts';
import { definition } from './plugin.ts';
import { schema } from './schema.ts';

testPluginCases({ definition, handler, cases, edge: new URL('./edge.ts', import.meta.url) });

type Config = z.input<typeof schema>;

/** What a client is answered that has sent so many requests under one configuration, by another. */
function answerAfter(former: Config, times: number, current: Config) {
  const state = createPlainState();
  const answers = [...Array.from({ length: times }, () => former), current].map((config) => {
    const plain = { method: 'GET', scheme: 'https', host: 'a.test', path: '/login', query: '', headers: [] } as const;
    const visitor = { clientAddress: { family: 4, words: [0xcb007107] }, country: '', crawler: '' } as const;
    // Windows of any length begin here, in the same tenth.
    const ctx = createPlainContext({ ...plain, ...visitor, now: 86_400_000 }, state);
    return handler.access?.(ctx, handler.prepare(schema.parse(config), edgeKit, undefined))?.kind ?? 'pass';
  });
  return answers.at(-1);
}

const limit: Config = { maxretry: 3, findtime: 60, bantime: '10m', banpath: '.*' };

it.each([
  ['findtime', { findtime: 120 }],
  ['banpath', { banpath: '^/login' }],
  ['only_dynamic', { only_dynamic: true }],
])('begins anew where another rule counts: %s', (_, change) => {
  expect(answerAfter(limit, 2, { ...limit, ...change })).toBe('pass');
  expect(answerAfter({ ...limit, ...change }, 2, { ...limit, ...change })).toBe('block');
});

it('counts on where only what follows has changed', () =>
  expect(answerAfter(limit, 2, { ...limit, bantime: '1h' })).toBe('block'));
