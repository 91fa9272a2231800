import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { partEnvironment } from './part-environment.ts';

const GIVEN = {
  PATH: '/usr/bin',
  LC_ALL: 'C',
  NODE_OPTIONS: '--max-old-space-size=512',
  npm_config_cache: '/tmp/npm',
  NODE_AUTH_TOKEN: 'secret',
  'npm_config_//registry.example/:_authToken': 'secret',
  AWS_SECRET_ACCESS_KEY: 'secret',
  STRIPE_SECRET_KEY: 'secret',
  CORDON_SECRET_KEY: 'key',
  DATABASE_URL: 'postgres://',
  CLICKHOUSE_URL: 'http://',
  CORDON_NODE_CREDENTIAL: 'credential',
  CORDON_DEMO_SECRET: 'demo',
};
const SURROUNDINGS = ['LC_ALL', 'NODE_OPTIONS', 'PATH', 'npm_config_cache'];
const namesOf = (part: Parameters<typeof partEnvironment>[0]) => Object.keys(partEnvironment(part, GIVEN)).sort();

it('hands the engines no setting and no secret of the launcher', () => {
  expect(namesOf('postgres')).toEqual(SURROUNDINGS);
  expect(namesOf('clickhouse')).toEqual(SURROUNDINGS);
});

it('hands the API and the agent each only what is its own', () => {
  expect(namesOf('edge')).toEqual(['CORDON_DEMO_SECRET', 'CORDON_NODE_CREDENTIAL', ...SURROUNDINGS].sort());
  expect(namesOf('api')).toEqual(['CLICKHOUSE_URL', 'CORDON_SECRET_KEY', 'DATABASE_URL', ...SURROUNDINGS].sort());
});

it.each([
  ['api', '../../../api/src/settings/env.ts'],
  ['edge', '../../../edge/src/agent/env.ts'],
] as const)('knows every setting that the %s part reads', (part, file) => {
  const source = readFileSync(new URL(file, import.meta.url), 'utf8');
  const names = [...source.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map((match) => match[1] ?? '');
  expect(names.length).toBeGreaterThan(10);
  const passed = partEnvironment(part, Object.fromEntries(names.map((name) => [name, 'set'])));
  expect(names.filter((name) => passed[name] === undefined)).toEqual([]);
});
