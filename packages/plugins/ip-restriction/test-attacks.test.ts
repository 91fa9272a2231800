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

it('come from the first blocked address that a visitor can have', () => {
  const deny = ['127.0.0.1', '45.10.20.0/24', '2606:4700::/32'];
  expect(verdictsOf({ deny, blacklistMode: true })).toMatchObject([
    { kind: 'block', reason: 'in_deny_list', rule: '45.10.20.0/24' },
  ]);
  expect(verdictsOf({ deny: ['2606:4700::/32'], blacklistMode: true })).toMatchObject([{ reason: 'in_deny_list' }]);
});

it('come from an address that is not allowed, where only allowed ones may visit', () => {
  expect(
    verdictsOf({ allow: ['45.10.20.0/24'], deny: ['45.10.20.9'], whitelistMode: true, blacklistMode: true }),
  ).toMatchObject([{ reason: 'in_deny_list', rule: '45.10.20.9' }, { reason: 'not_in_allow_list' }]);
});
