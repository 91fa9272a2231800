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

it('come from a country that is refused', () => {
  expect(verdictsOf({ blacklist_countries: ['KP', 'RU'] })).toMatchObject([{ reason: 'country_refused', rule: 'KP' }]);
  expect(verdictsOf({ mode: 'Whitelist', whitelist_countries: ['AD', 'AE'] })).toMatchObject([
    { reason: 'country_not_allowed' },
  ]);
});
