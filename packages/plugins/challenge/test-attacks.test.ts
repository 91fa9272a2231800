import { tryAttacks } from '@cordon/plugin-kit/testing';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { handler } from './edge.ts';
import { schema } from './schema.ts';
import { testAttacks } from './test-attacks.ts';

const verdictsOf = (given: z.input<typeof schema>) => {
  const config = schema.parse(given);
  return tryAttacks(handler, config, testAttacks(config));
};

it('ask for a path of the pattern without a proof', () => {
  for (const path of ['.*', '^/account', '/(login|sign-in)', '(?i)^/ADMIN\\.php$', '[0-9]{3}x'])
    expect(verdictsOf({ path })).toMatchObject([{ kind: 'challenge', reason: 'proof_required', rule: path }]);
});

it('are none where no path that nginx would keep is known', () => {
  expect(testAttacks(schema.parse({ path: '^[^/]' }))).toEqual([]);
  expect(testAttacks(schema.parse({ path: '^/a/\\.\\./b' }))).toEqual([]);
});
