import { tryAttacks } from '@cordon/plugin-kit/testing';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { handler } from './edge.ts';
import { schema } from './schema.ts';
import { testAttacks } from './test-attacks.ts';

const attacksOf = (given: z.input<typeof schema>) => testAttacks(schema.parse(given));

it('are as many requests as need a proof, of which the last is stopped', () => {
  const config = schema.parse({ maxretry: 12 });
  expect(tryAttacks(handler, config, testAttacks(config))).toMatchObject([
    { kind: 'challenge', reason: 'too_many_requests' },
  ]);
});

it('are none where they would be too many', () => {
  expect(attacksOf({ maxretry: 1000 })).toHaveLength(1);
  expect(attacksOf({ maxretry: 1001 })).toEqual([]);
});
