import { PROTECTION_LEVELS } from '@cordon/plugin-kit';
import { defaultEntry } from '@cordon/plugin-kit/schema';
import { definitions } from '@cordon/plugins/definitions';
import { expect, it } from 'vitest';
import { sampleConfig } from '../testing/sample-route';
import { changesAt, entryAt, levelOf } from './protection-level';

const leveled = definitions.filter(({ atLevel }) => atLevel);
const starts = (name: string) => [
  defaultEntry(leveled.find((one) => one.name === name) as (typeof leveled)[number]),
  { name, enabled: true, config: {} },
  { name, enabled: true, config: { path: '^/account', banpath: '^/login', mode: 'puzzle' } },
];
const configAt = (level: 'low' | 'medium' | 'high', config = sampleConfig()) => ({
  ...config,
  plugins: changesAt(level, config, definitions).map(({ after }) => after),
});

it.each(leveled.flatMap((definition) => PROTECTION_LEVELS.map((level) => [definition.name, level] as const)))(
  '%s at level %s has settings that its schema takes, and is at it',
  (name, level) => {
    const definition = leveled.find((one) => one.name === name) as (typeof leveled)[number];
    for (const start of starts(name)) {
      const entry = entryAt(definition, level, start);
      expect(definition.schema.safeParse(entry?.config).data).toEqual(entry?.config);
      expect(entry && entryAt(definition, level, entry)).toEqual(entry);
    }
  },
);

it('tells the level of a configuration, and that a new domain or one that was changed since is at none', () => {
  expect(levelOf(sampleConfig(), definitions)).toBeUndefined();
  for (const level of PROTECTION_LEVELS) expect(levelOf(configAt(level), definitions)).toBe(level);
  const changed = configAt('medium');
  expect(levelOf({ ...changed, plugins: changed.plugins.slice(1) }, definitions)).toBeUndefined();
});

const at = (name: string, maxretry: number, findtime: number) => ({
  name,
  enabled: true,
  config: { maxretry, findtime },
});
const captcha = (maxretry: number, findtime: number) => at('crowdsec-captcha', maxretry, findtime);
const limit = (maxretry: number, findtime: number) => at('request-limit', maxretry, findtime);

it.each([
  // Of pages, High bans at 120 requests in 120 s and Medium at 310 in 240 s; challenges come at 150 and 300 in 60 s.
  ['a lower limit in the same time', 'high', [captcha(100, 60)], ['crowdsec-captcha']],
  ['as many requests in a longer time', 'high', [captcha(150, 120)], ['crowdsec-captcha']],
  ['a lower limit in a shorter time', 'high', [limit(8, 60)], ['request-limit']],
  ['a higher limit, which a short burst does not reach, in a longer time', 'high', [captcha(310, 240)], []],
  ['a limit without effect behind another', 'medium', [captcha(299, 240), limit(299, 240)], ['request-limit']],
] as const)('tells whether a level is looser than %s', (_, level, plugins, looser) => {
  const config = { ...sampleConfig(), plugins: [...plugins] };
  const changes = changesAt(level, config, definitions).filter(({ isLooser }) => isLooser);
  expect(changes.map(({ definition }) => definition.name)).toEqual(looser);
});

it('changes only what differs from the level before', () => {
  const medium = configAt('medium');
  const changed = changesAt('high', medium, definitions);
  expect(changed.length).toBeGreaterThan(1);
  expect(changed.length).toBeLessThan(leveled.length);
  for (const { before, after } of changed) expect(after).not.toEqual(before);
});
