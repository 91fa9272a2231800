import { tryAttacks } from '@cordon/plugin-kit/testing';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { handler } from './edge.ts';
import { schema } from './schema.ts';
import { testAttacks } from './test-attacks.ts';

it('ask for a path of the pattern without a signature', () => {
  const given: z.input<typeof schema> = { path: '^/download/', api_secret: 'x'.repeat(20) };
  const config = schema.parse(given);
  expect(tryAttacks(handler, config, testAttacks(config))).toMatchObject([
    { kind: 'block', reason: 'link_invalid', rule: '^/download/' },
  ]);
});
