import { expect, it } from 'vitest';
import { z } from 'zod';
import { fieldErrorsOf } from './errors.ts';
import { meantIssues } from './meant-issues.ts';

const byKind = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('number'), value: z.number({ error: 'NO_NUMBER' }) }),
  z.strictObject({ kind: z.literal('text'), value: z.string() }),
]);
const part = z.union([
  byKind,
  z.strictObject({ parts: z.array(z.union([byKind, z.strictObject({ more: z.string() })])) }),
]);
const wrong = { kind: 'number', value: 'x' };

it.each([
  ['inside the only option that is meant', wrong, { 'part.value': 'NO_NUMBER' }],
  ['inside one of its parts', { parts: [{ kind: 'text', value: 'x' }, wrong] }, { 'part.parts.1.value': 'NO_NUMBER' }],
  ['of no option that is known', { kind: 'other' }, { part: 'INVALID' }],
  ['in a part of no option that is known', { parts: [{ kind: 'other' }] }, { 'part.parts.0': 'INVALID' }],
])('tells in a union what is wrong %s', (_, input, codes) => {
  const { error } = z.object({ part }).safeParse({ part: input });
  expect(error && fieldErrorsOf({ issues: meantIssues(error.issues) }).fields).toEqual(codes);
});

it('says of a union of which several options may be meant that none fits', () => {
  const ambiguous = z.union([z.object({ value: z.number({ error: 'NO_NUMBER' }) }), z.object({ value: z.boolean() })]);
  const { error } = z.object({ part: ambiguous }).safeParse({ part: { value: 'x' } });
  expect(error && fieldErrorsOf({ issues: meantIssues(error.issues) }).fields).toEqual({ part: 'INVALID' });
});
