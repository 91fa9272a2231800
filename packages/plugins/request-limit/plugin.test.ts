import { fieldErrorsOf } from '@cordon/contract';
import { durationSeconds } from '@cordon/plugin-kit/duration';
import { LOGIN_PATHS } from '@cordon/plugin-kit/path-patterns';
import { expect, it } from 'vitest';
import { definition } from './plugin.ts';
import { schema } from './schema.ts';

it('starts with the defaults of the specification (section 3)', () => {
  expect(schema.parse({})).toEqual({
    banpath: '.*',
    findtime: 240,
    maxretry: 310,
    bantime: '3h',
    only_dynamic: false,
  });
});

it.each([
  [{ banpath: '^/(login' }, { banpath: 'PATTERN_UNFINISHED' }],
  [{ banpath: '' }, { banpath: 'REQUIRED' }],
  [{ findtime: 0 }, { findtime: 'TOO_SMALL' }],
  [{ findtime: 3601 }, { findtime: 'TOO_LARGE' }],
  [{ maxretry: 1 }, { maxretry: 'TOO_SMALL' }],
  [{ maxretry: 1_000_001 }, { maxretry: 'TOO_LARGE' }],
  [{ bantime: '3 hours' }, { bantime: 'DURATION_INVALID' }],
  [{ bantime: 'h' }, { bantime: 'DURATION_INVALID' }],
  [{ bantime: '9s' }, { bantime: 'DURATION_TOO_SHORT' }],
  [{ bantime: '31d' }, { bantime: 'DURATION_TOO_LONG' }],
])('refuses %j as %j', (config, fields) => {
  const parsed = schema.safeParse(config);
  expect(parsed.error && fieldErrorsOf(parsed.error).fields).toEqual(fields);
});

it.each([
  ['90s', { number: 90, unit: 's' }],
  ['60m', { number: 1, unit: 'h' }],
  ['48h', { number: 2, unit: 'd' }],
])('says how long it bans: %s', (bantime, said) => {
  expect(definition.summary(schema.parse({ bantime }))).toEqual({
    message: 'summary.limit',
    params: {
      ...{ requests: 310, windowNumber: 4, windowUnit: 'm', ...said },
      ...{ paths: 'every', path: '.*', files: 'counted' },
    },
  });
});

it.each([
  [{ banpath: LOGIN_PATHS }, { paths: 'login', files: 'counted' }],
  [
    { banpath: '^/api', only_dynamic: true },
    { paths: 'some', path: '^/api', files: 'ignored' },
  ],
])('says which requests it does not count: %j', (config, said) => {
  for (const message of [definition.summary(schema.parse(config)), definition.brief?.(schema.parse(config))])
    expect(message?.params).toMatchObject(said);
});

it('counts pages of the whole site at each level, which is stricter than the one before', () => {
  const bans: number[] = [];
  const rates = (['low', 'medium', 'high'] as const).map((level) => {
    const setting = definition.atLevel?.(level, { enabled: false, config: schema.parse({ banpath: '^/login' }) });
    expect(setting).toMatchObject({ enabled: true, config: { banpath: '.*', only_dynamic: true } });
    bans.push(durationSeconds(setting?.config.bantime ?? '') ?? 0);
    return setting && setting.config.maxretry / setting.config.findtime;
  });
  expect(bans).toEqual([3_600, 10_800, 43_200]);
  expect(rates).toEqual(rates.toSorted((a, b) => Number(b) - Number(a)));
});
