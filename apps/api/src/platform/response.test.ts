import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { compilePick } from './response.ts';

const user = z.object({ id: z.string(), tags: z.array(z.string()), extra: z.record(z.string(), z.unknown()) });
const schema = z.object({ results: z.array(user), one: user.nullable(), more: user.optional(), count: z.number() });
const row = { id: 'a', tags: ['x'], extra: { kept: 1 }, password_hash: 'secret' };
const clean = { id: 'a', tags: ['x'], extra: { kept: 1 } };

describe('a response', () => {
  it('holds what its schema names, at every level, and nothing else', () => {
    const picked = compilePick(schema)({ results: [row], one: row, more: row, count: 1, secret: 'x' });
    expect(picked).toEqual({ results: [clean], one: clean, more: clean, count: 1 });
  });
  it('may have nulls and absent parts', () => {
    const picked = compilePick(schema)({ results: [], one: null, count: 0 });
    expect(JSON.stringify(picked)).toBe('{"results":[],"one":null,"count":0}');
  });
});
