import { fieldErrorsOf } from '@cordon/contract';
import { firstEntry } from '@cordon/plugin-kit/schema';
import { expect, it } from 'vitest';
import { definition } from './plugin.ts';
import { schema } from './schema.ts';

it('starts with the defaults of the specification (section 3), and asks for a puzzle', () => {
  expect(schema.parse({})).toEqual({ mode: 'puzzle', findtime: 240, maxretry: 310, bantime: '3h' });
  expect(firstEntry(definition).config).toEqual(schema.parse({}));
});

it.each([
  [{ mode: 'google_recaptcha' }, { mode: 'NOT_ALLOWED' }],
  [{ findtime: 0 }, { findtime: 'TOO_SMALL' }],
  [{ findtime: 3601 }, { findtime: 'TOO_LARGE' }],
  [{ maxretry: 1 }, { maxretry: 'TOO_SMALL' }],
  [{ maxretry: 1_000_001 }, { maxretry: 'TOO_LARGE' }],
  [{ bantime: '3 hours' }, { bantime: 'DURATION_INVALID' }],
  [{ bantime: '9s' }, { bantime: 'DURATION_TOO_SHORT' }],
  [{ bantime: '31d' }, { bantime: 'DURATION_TOO_LONG' }],
])('refuses %j as %j', (config, fields) => {
  const parsed = schema.safeParse(config);
  expect(parsed.error && fieldErrorsOf(parsed.error).fields).toEqual(fields);
});

it('says from when and for how long visitors have to prove themselves', () => {
  expect(definition.summary(schema.parse({ bantime: '60m' }))).toEqual({
    message: 'summary.limit',
    params: { requests: 310, windowNumber: 4, windowUnit: 'm', number: 1, unit: 'h' },
  });
});
