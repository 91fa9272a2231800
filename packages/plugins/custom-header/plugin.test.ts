import { fieldErrorsOf } from '@cordon/contract';
import { schemaDefaults } from '@cordon/plugin-kit/schema';
import { describe, expect, it } from 'vitest';
import { definition } from './plugin.ts';
import { schema } from './schema.ts';

function faults(...headers: { name: unknown; value: unknown }[]): Record<string, string> {
  const parsed = schema.safeParse({ add: { headers } });
  return parsed.success ? {} : fieldErrorsOf(parsed.error).fields;
}

describe('the schema', () => {
  it('starts with an empty list (spec section 3), which is nothing to save', () => {
    expect(schemaDefaults(schema)).toEqual({ add: { headers: [] } });
    expect(faults()).toEqual({ 'add.headers': 'HEADERS_REQUIRED' });
  });

  it.each(['Host', 'Content-Encoding', 'Range', 'If-Range', 'Accept-Encoding', 'Connection'])(
    'refuses %s, and says so at its name',
    (name) => expect(faults({ name, value: 'v' })).toEqual({ 'add.headers.0.name': 'HEADER_FORBIDDEN' }),
  );
});

it('needs a VIP plan (spec section 5, "custom headers")', () => expect(definition.tier).toBe('vip'));

it('sums up the names', () =>
  expect(definition.summary(schema.parse({ add: { headers: [{ name: 'X-A', value: '1' }] } }))).toEqual({
    message: 'summary.headers',
    params: { count: 1, names: { list: ['X-A'] } },
  }));
