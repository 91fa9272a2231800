import { tryAttacks } from '@cordon/plugin-kit/testing';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { handler } from './edge.ts';
import { schema } from './schema.ts';
import { testAttacks } from './test-attacks.ts';

it('ask for a page without a proof while the mode is on, and are none otherwise', () => {
  const given: z.input<typeof schema> = { mode: 'js' };
  const config = schema.parse(given);
  expect(testAttacks(config, { feeds: ['ban'] })).toEqual([]);
  const feeds = { 'under-attack': { network: '0.0.0.0/0', until: 0 } };
  expect(tryAttacks(handler, config, testAttacks(config, { feeds: Object.keys(feeds) }), feeds)).toMatchObject([
    { kind: 'challenge', reason: 'under_attack' },
  ]);
});
