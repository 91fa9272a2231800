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

const limit: Config = { maxretry: 3, findtime: 60, bantime: '10m', banpath: '.*' };

it.each([
  ['findtime', { findtime: 120 }],
  ['banpath', { banpath: '^/login' }],
  ['only_dynamic', { only_dynamic: true }],
])('begins anew where another rule counts: %s', (_, change) => {
  expect(afterwards(limit, 2, { ...limit, ...change })).toBe('pass');
  expect(afterwards({ ...limit, ...change }, 2, { ...limit, ...change })).toBe('block');
});

it('counts on where only what follows has changed', () =>
  expect(afterwards(limit, 2, { ...limit, bantime: '1h' })).toBe('block'));
