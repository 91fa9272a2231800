import { fieldErrorsOf } from '@cordon/contract';
import { EVERY_PATH, LOGIN_PATHS } from '@cordon/plugin-kit/path-patterns';
import { expect, it } from 'vitest';
import { definition } from './plugin.ts';
import { schema } from './schema.ts';

it('starts with the work of a browser (spec section 3), everywhere, for half an hour', () => {
  expect(schema.parse({})).toEqual({ mode: 'js', path: '.*', pass_time: '30m' });
});

it.each([
  [{ mode: 'none' }, { mode: 'NOT_ALLOWED' }],
  [{ path: '^/(a' }, { path: 'PATTERN_UNFINISHED' }],
  [{ pass_time: '299s' }, { pass_time: 'DURATION_TOO_SHORT' }],
  [{ pass_time: '13h' }, { pass_time: 'DURATION_TOO_LONG' }],
])('refuses %j as %j', (config, fields) => {
  const parsed = schema.safeParse(config);
  expect(parsed.error && fieldErrorsOf(parsed.error).fields).toEqual(fields);
});

it.each([
  [EVERY_PATH, 'summary.all', 'every'],
  [LOGIN_PATHS, 'summary.path', 'login'],
  ['^/account', 'summary.path', 'some'],
])('says where it challenges, and for how long a proof holds: %s', (path, message, paths) => {
  expect(definition.summary(schema.parse({ path, pass_time: '90m' }))).toEqual({
    message,
    params: { mode: 'js', path, paths, number: 90, unit: 'm' },
  });
});

it('needs keys of the deployment where Google is asked, and says so at the field', () => {
  expect(definition.needs?.(schema.parse({ mode: 'google_recaptcha' }))).toEqual([
    { path: 'mode', feature: 'recaptcha', code: 'RECAPTCHA_NOT_SET_UP' },
  ]);
  for (const mode of ['js', 'puzzle'] as const) expect(definition.needs?.(schema.parse({ mode }))).toEqual([]);
});
