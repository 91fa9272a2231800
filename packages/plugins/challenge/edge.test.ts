import { edgeKit } from '@cordon/plugin-kit/edge-kit';
import { createPlainContext, createPlainState } from '@cordon/plugin-kit/plain-context';
import { testPluginCases } from '@cordon/plugin-kit/testing';
import { expect, it } from 'vitest';
import { cases } from './cases.ts';
import { handler } from './edge.ts';
import { definition } from './plugin.ts';
import { schema } from './schema.ts';

testPluginCases({ definition, handler, cases, edge: new URL('./edge.ts', import.meta.url) });

it.each([
  ['5m', 300],
  ['2h', 7_200],
])('gives passes for as long as it is set to: %s', (pass_time, passSeconds) => {
  const plain = { method: 'GET', scheme: 'https', host: 'a.test', path: '/', query: '', headers: [] } as const;
  const visitor = { clientAddress: { family: 4, words: [0xcb007107] }, country: '', crawler: '', now: 1_000 } as const;
  const prepared = handler.prepare(schema.parse({ pass_time }), edgeKit, undefined);
  const ctx = createPlainContext({ ...plain, ...visitor }, createPlainState());
  expect(handler.access?.(ctx, prepared)).toMatchObject({ kind: 'challenge', passSeconds });
});
