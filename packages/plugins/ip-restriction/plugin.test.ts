import { fieldErrorsOf } from '@cordon/contract';
import { schemaDefaults } from '@cordon/plugin-kit/schema';
import { describe, expect, it } from 'vitest';
import { definition } from './plugin.ts';
import { schema } from './schema.ts';

function faults(config: unknown): Record<string, string> {
  const parsed = schema.safeParse(config);
  return parsed.success ? {} : fieldErrorsOf(parsed.error).fields;
}
function faultParams(config: unknown): Record<string, Record<string, string | number>> {
  const parsed = schema.safeParse(config);
  return parsed.success ? {} : fieldErrorsOf(parsed.error).params;
}
const allow = (...entries: string[]) => ({ allow: entries, whitelistMode: true });
const deny = (...entries: string[]) => ({ deny: entries, blacklistMode: true });

describe('the schema', () => {
  it('reports the first of thousands that are in both lists, with their count', () => {
    const entries = Array.from({ length: 10_000 }, (_, at) => `9.9.${at >> 8}.${at & 255}`);
    const config = { ...allow(...entries), ...deny(...entries) };
    expect(Object.keys(faults(config))).toHaveLength(100);
    expect(faultParams(config)['allow.0']).toEqual({ entry: '9.9.0.0', other: '9.9.0.0', count: 10_000 });
  });

  it('has the defaults of the specification', () => {
    expect(schemaDefaults(schema)).toEqual({
      allow: [],
      deny: [],
      whitelistMode: false,
      blacklistMode: false,
      allow_spiders: true,
    });
    expect(schema.parse(allow(' 1.1.1.1 '))).toEqual({
      allow: ['1.1.1.1'],
      deny: [],
      whitelistMode: true,
      blacklistMode: false,
      allow_spiders: true,
    });
  });

  it.each([
    ['nothing at all', {}, { whitelistMode: 'IP_RESTRICTION_NO_MODE', allow: 'IP_RESTRICTION_EMPTY' }],
    ['entries without a mode', { deny: ['1.1.1.1'] }, { whitelistMode: 'IP_RESTRICTION_NO_MODE' }],
    ['whitelist without entries', allow(), { allow: 'IP_RESTRICTION_EMPTY' }],
    ['whitelist whose entries are in deny', { ...allow(), deny: ['1.1.1.1'] }, { allow: 'IP_RESTRICTION_EMPTY' }],
    ['whitelist of ignored entries only', allow('10.0.0.0/8', '::1'), { allow: 'IP_RESTRICTION_EMPTY' }],
    ['blacklist without entries', deny(), { deny: 'IP_RESTRICTION_EMPTY' }],
    ['both with an empty allow list', { ...allow(), ...deny('1.1.1.1') }, { allow: 'IP_RESTRICTION_EMPTY' }],
    ['both with an empty deny list', { ...allow('1.1.1.1'), ...deny() }, {}],
    ['no address and no other entry', deny('300.1.1.1'), { 'deny.0': 'ADDRESS_INVALID' }],
    ['no address', deny('1.1.1.1', 'example.com'), { 'deny.1': 'ADDRESS_INVALID' }],
    ['text that is far too long', deny('1'.repeat(200), '1.1.1.1'), { 'deny.0': 'ADDRESS_INVALID' }],
    ['everybody by IPv4', allow('1.2.3.4/0', '1.1.1.1'), { 'allow.0': 'RANGE_TOO_WIDE' }],
    ['everybody by IPv6', deny('::/0', '1.1.1.1'), { 'deny.0': 'RANGE_TOO_WIDE' }],
    ['everybody by mapped IPv4', deny('::ffff:0:0/96', '1.1.1.1'), { 'deny.0': 'RANGE_TOO_WIDE' }],
    [
      'one address in four spellings',
      allow('1.1.1.1', '1.1.1.1/32', '::ffff:1.1.1.1', '::ffff:101:101/128'),
      {
        'allow.1': 'DUPLICATE_ENTRY',
        'allow.2': 'DUPLICATE_ENTRY',
        'allow.3': 'DUPLICATE_ENTRY',
      },
    ],
    ['one block by its host bits', allow('8.8.8.0/24', '8.8.8.8/24'), { 'allow.1': 'DUPLICATE_ENTRY' }],
    ['an entry before the wider one of its list', deny('8.8.8.8', '8.8.8.0/24'), { 'deny.0': 'ADDRESS_CONFLICT' }],
    [
      'an entry after the wider one of its list',
      deny('8.8.8.0/24', '8.8.9.9', '8.8.8.8'),
      { 'deny.2': 'ADDRESS_CONFLICT' },
    ],
    [
      'neighbours inside one wider entry',
      deny('8.8.0.0/16', '8.8.8.0/24', '8.8.9.0/24'),
      { 'deny.1': 'ADDRESS_CONFLICT', 'deny.2': 'ADDRESS_CONFLICT' },
    ],
    ['an IPv6 entry inside a wider one', deny('2606:4700::/32', '2606:4700:1::/48'), { 'deny.1': 'ADDRESS_CONFLICT' }],
    ['neighbours', deny('8.8.8.0/25', '8.8.8.128/25', '8.8.9.0/24'), {}],
    [
      'an entry in both lists',
      { ...allow('1.1.1.1', '8.8.8.8'), ...deny('1.1.1.1/32') },
      { 'allow.0': 'IP_RESTRICTION_ALSO_DENIED' },
    ],
    [
      'an entry in both lists though a mode is off',
      { ...allow('1.1.1.1', '8.8.8.8'), deny: ['1.1.1.1'] },
      { 'allow.0': 'IP_RESTRICTION_ALSO_DENIED' },
    ],
    [
      'allow inside a wider deny',
      { ...allow('8.8.8.8', '1.1.1.1'), ...deny('8.8.8.0/24') },
      { 'allow.0': 'IP_RESTRICTION_ALSO_DENIED' },
    ],
    ['deny inside a wider allow', { ...allow('8.8.8.0/24'), ...deny('8.8.8.8') }, {}],
    ['an unknown field', { ...allow('1.1.1.1'), whitelist: true }, { whitelist: 'UNKNOWN_FIELD' }],
    [
      'too many entries',
      deny(...Array.from({ length: 10_001 }, (_, index) => `8.${index % 256}.${Math.floor(index / 256)}.1`)),
      { deny: 'TOO_MANY' },
    ],
    [
      'as many entries as there may be',
      deny(...Array.from({ length: 10_000 }, (_, index) => `8.${index % 256}.${Math.floor(index / 256)}.1`)),
      {},
    ],
  ])('judges %s', (_, config, expected) => expect(faults(config)).toEqual(expected));

  it('names the other entry of a conflict as it was written', () => {
    expect(faultParams(deny('8.8.8.0/24', '8.8.8.8'))).toEqual({ 'deny.1': { entry: '8.8.8.8', other: '8.8.8.0/24' } });
    expect(faultParams(allow('1.1.1.1', '1.1.1.1/32'))).toEqual({
      'allow.1': { entry: '1.1.1.1/32', other: '1.1.1.1' },
    });
    expect(faultParams({ ...allow('8.8.8.8', '1.1.1.1'), ...deny('8.8.8.8/24') })).toEqual({
      'allow.0': { entry: '8.8.8.8', other: '8.8.8.8/24', count: 1 },
    });
  });

  it('gives no code that the plugin does not declare', () => {
    const worst = { allow: ['x', '::/0', '1.1.1.1', '1.1.1.1', '8.8.8.0/24', '8.8.8.8'], deny: ['1.1.1.1'] };
    const codes = new Set([...Object.values(faults(worst)), ...Object.values(faults({}))]);
    expect([...codes].sort()).toEqual([...definition.errorCodes].sort());
  });
});

describe('notices', () => {
  const notices = (config: unknown) => definition.notices(schema.parse(config));

  it('tell which entries are ignored and why', () => {
    expect(notices(deny('1.1.1.1', '10.0.0.0/8', 'fe80::1', '203.0.113.0/24'))).toEqual([
      { path: 'deny.1', message: 'notices.special_address', params: { entry: '10.0.0.0/8', kind: 'private' } },
      { path: 'deny.2', message: 'notices.special_address', params: { entry: 'fe80::1', kind: 'link_local' } },
      {
        path: 'deny.3',
        message: 'notices.special_address',
        params: { entry: '203.0.113.0/24', kind: 'documentation' },
      },
    ]);
  });

  it('tell what an entry with host bits covers', () => {
    expect(notices(deny('8.8.8.8/24'))).toEqual([
      { path: 'deny.0', message: 'notices.host_bits', params: { entry: '8.8.8.8/24', range: '8.8.8.0/24' } },
    ]);
  });

  it('tell when a list is not in use', () => {
    expect(notices({ ...allow('1.1.1.1'), deny: ['9.9.9.9'] })).toEqual([
      { path: 'deny', message: 'notices.deny_unused', params: { count: 1 } },
    ]);
    expect(notices({ ...deny('1.1.1.1'), allow: ['9.9.9.9'] })).toEqual([
      { path: 'allow', message: 'notices.allow_unused', params: { count: 1 } },
    ]);
    expect(notices({ ...allow('1.1.1.1'), ...deny('9.9.9.9') })).toEqual([]);
  });
});

it('sums up what works, not what is ignored', () => {
  const summary = (config: unknown) => definition.summary(schema.parse(config));
  expect(summary(allow('1.1.1.1', '10.0.0.1'))).toEqual({
    message: 'summary.whitelist',
    params: { allowed: 1, denied: 0 },
  });
  expect(summary(deny('1.1.1.1', '9.9.9.9'))).toEqual({
    message: 'summary.blacklist',
    params: { allowed: 0, denied: 2 },
  });
  expect(summary({ ...allow('1.1.1.1'), ...deny('9.9.9.9') })).toEqual({
    message: 'summary.both',
    params: { allowed: 1, denied: 1 },
  });
});
