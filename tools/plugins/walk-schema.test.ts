import { text } from '@cordon/contract/text';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { walkSchema } from './walk-schema.ts';

const faults = (shape: Record<string, z.ZodType>) => walkSchema(z.strictObject(shape)).faults;

it.each([
  ['a string', z.string(), ['a is a string without max()']],
  ['a wrapped string', z.string().min(1).default('x').nullable(), ['a is a string without max()']],
  ['a formatted string', z.url(), ['a is a string without max()']],
  ['a bounded string', text(5, { trim: true }).optional(), []],
  [
    'a string that may hold anything',
    z.string().max(5),
    ['a is a string that is no text(): NUL and lone surrogates pass'],
  ],
  ['an id', z.uuid(), []],
  ['a string of a length', text(5).length(5), []],
  ['an array', z.array(text(5)), ['a is an array without max()']],
  ['strings in a bounded array', z.array(z.string()).max(3), ['a is a string without max()']],
  [
    'a bounded array',
    z
      .array(text(5))
      .max(3)
      .superRefine(() => {})
      .default([]),
    [],
  ],
  ['a whole number', z.int(), ['a is a number without min()', 'a is a number without max()']],
  ['a number with one bound', z.number().min(1), ['a is a number without max()']],
  ['a bounded number', z.number().int().min(1).max(5).default(2), []],
  ['a positive number', z.number().positive().lt(5), []],
  ['a record', z.record(z.string().max(3), z.boolean()), ['a is of kind record, whose size cannot be bounded']],
  ['anything', z.unknown(), ['a is of kind unknown, whose size cannot be bounded']],
  ['an alternative', z.union([z.literal('x'), z.array(z.boolean())]), ['a is an array without max()']],
  ['what a transformation takes', z.string().transform(Number), ['a is a string without max()']],
  ['an object that takes anything', z.looseObject({ b: z.boolean() }), ['a takes unknown fields: use z.strictObject']],
  [
    'what is inside an object',
    z.object({ b: z.array(z.object({ c: z.string() })).max(2) }),
    ['a.b.c is a string without max()'],
  ],
  ['enumerations and switches', z.union([z.enum(['x']), z.boolean(), z.null()]), []],
])('looks for bounds in %s', (_, schema, expected) => expect(faults({ a: schema })).toEqual(expected));

it('finds every field, its description on any layer, its options, and whether it is of one of several shapes', () => {
  const { fields } = walkSchema(
    z
      .strictObject({
        outer: z
          .array(z.strictObject({ inner: z.boolean().describe('x').default(true) }))
          .max(1)
          .default([])
          .describe('x'),
        mode: z.enum(['a', 'b']).default('a').describe('x'),
        silent: text(3),
        one: z.union([z.strictObject({ of: z.boolean().describe('x') }), z.null()]).describe('x'),
      })
      .superRefine(() => {}),
  );
  expect(fields).toEqual([
    { path: 'outer', isDescribed: true, options: [], isAlternative: false },
    { path: 'outer.inner', isDescribed: true, options: [], isAlternative: false },
    { path: 'mode', isDescribed: true, options: ['a', 'b'], isAlternative: false },
    { path: 'silent', isDescribed: false, options: [], isAlternative: false },
    { path: 'one', isDescribed: true, options: [], isAlternative: false },
    { path: 'one.of', isDescribed: true, options: [], isAlternative: true },
  ]);
});
