import { edgeKit } from '@cordon/plugin-kit/edge-kit';
import { createPlainContext, createPlainState } from '@cordon/plugin-kit/plain-context';
import { testPluginCases } from '@cordon/plugin-kit/testing';
import { expect, it } from 'vitest';
import { cases } from './cases.ts';
import { handler } from './edge.ts';
import { definition } from './plugin.ts';

testPluginCases({ definition, handler, cases, edge: new URL('./edge.ts', import.meta.url) });

it('does nothing with neither mode, which only a configuration past the schema can have', () => {
  const config = {
    allow: ['1.1.1.1'],
    deny: ['203.0.113.7'],
    whitelistMode: false,
    blacklistMode: false,
    allow_spiders: true,
  };
  const ctx = createPlainContext(
    {
      method: 'GET',
      scheme: 'https',
      host: 'www.example.com',
      path: '/',
      query: '',
      headers: [],
      clientAddress: { family: 4, words: [0xcb007107] },
      country: '',
      crawler: '',
      now: 0,
    },
    createPlainState(),
  );
  expect(ctx.request.clientAddressText).toBe('203.0.113.7');
  expect(handler.access?.(ctx, handler.prepare(config, edgeKit, undefined))).toBeUndefined();
});
