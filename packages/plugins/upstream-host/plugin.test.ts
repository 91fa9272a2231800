import { fieldErrorsOf } from '@cordon/contract';
import { schemaDefaults } from '@cordon/plugin-kit/schema';
import { describe, expect, it } from 'vitest';
import { definition } from './plugin.ts';
import { schema } from './schema.ts';

function fault(hostname: unknown): string | undefined {
  const parsed = schema.safeParse({ hostname });
  return parsed.success ? undefined : fieldErrorsOf(parsed.error).fields.hostname;
}

describe('the schema', () => {
  it('has no default: there is no name to guess', () => expect(schemaDefaults(schema)).toEqual({}));

  it.each([
    ['origin.example.net', 'origin.example.net'],
    [' Origin.Example.NET. ', 'origin.example.net'],
    ['bücher.example', 'xn--bcher-kva.example'],
  ])('reads %j', (hostname, name) => expect(schema.parse({ hostname })).toEqual({ hostname: name }));

  it.each([
    [undefined, 'REQUIRED'],
    ['', 'REQUIRED'],
    [5, 'INVALID_TYPE'],
    ['origin.example.net:8080', 'PORT_FORBIDDEN'],
    ['origin.example.net:', 'PORT_FORBIDDEN'],
    ['https://origin.example.net', 'DOMAIN_NAME_IS_URL'],
    ['origin.example.net/path', 'DOMAIN_NAME_IS_URL'],
    ['user@origin.example.net', 'DOMAIN_NAME_IS_URL'],
    ['198.41.128.7', 'DOMAIN_NAME_IS_ADDRESS'],
    ['2606:4700::1', 'DOMAIN_NAME_IS_ADDRESS'],
    ['[2606:4700::1]', 'DOMAIN_NAME_IS_ADDRESS'],
    ['origin', 'DOMAIN_NAME_NEEDS_DOT'],
    ['*.example.net', 'DOMAIN_NAME_INVALID'],
    ['or igin.example.net', 'DOMAIN_NAME_INVALID'],
    ['origin.example.net\r\nX-Own: 1', 'DOMAIN_NAME_INVALID'],
    ['origin.exa\nmple.net', 'DOMAIN_NAME_INVALID'],
    ['-a.example.net', 'DOMAIN_NAME_INVALID'],
    ['a..example.net', 'DOMAIN_NAME_INVALID'],
    [`${'a'.repeat(64)}.example.net`, 'DOMAIN_NAME_INVALID'],
    ['a'.repeat(256), 'TOO_LONG'],
  ])('refuses %j as %s', (hostname, code) => expect(fault(hostname)).toBe(code));
});

it('needs a VIP plan (spec section 5, "proxy host")', () => expect(definition.tier).toBe('vip'));

it('sums up the name', () => {
  expect(definition.summary(schema.parse({ hostname: 'origin.example.net' }))).toEqual({
    message: 'summary.hostname',
    params: { hostname: 'origin.example.net' },
  });
});
