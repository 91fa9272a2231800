import type { PluginDefinition } from '@cordon/plugin-kit';
import { firstEntry } from '@cordon/plugin-kit/schema';
import { definitions, findDefinition } from '@cordon/plugins/definitions';
import { expect, it } from 'vitest';
import { sampleConfig, sampleRoute } from '../testing/sample-route';
import { earlierLimit, entryAtPress, withRatesOn } from './earlier-limit';

const captcha = findDefinition('crowdsec-captcha') as PluginDefinition;
const entry = (config: Record<string, unknown>, enabled = true) => ({ name: captcha.name, enabled, config });
const limited = (config: Record<string, unknown>, enabled = true) => ({
  ...sampleConfig(),
  plugins: [{ name: 'request-limit', enabled, config }],
});

it.each([
  ['both have their defaults', {}, {}],
  ['the other allows fewer', { maxretry: 100 }, {}],
  ['the other looks back longer', { findtime: 600 }, { maxretry: 310 }],
])('names the plugin that stops every client first: %s', (_, other, own) => {
  expect(earlierLimit(limited(other), captcha, entry(own), definitions)?.plugin).toBe('request-limit');
});

it.each([
  ['the own limit is lower', limited({}), entry({ maxretry: 150 })],
  ['the other looks back less', limited({ findtime: 60 }), entry({})],
  ['the other counts some paths', limited({ banpath: '^/login' }), entry({})],
  ['the other leaves files out', limited({ only_dynamic: true }), entry({})],
  ['the other is off', limited({}, false), entry({})],
  ['the own is off', limited({}), entry({}, false)],
  ['there is no other', sampleConfig(), entry({})],
])('names none where %s', (_, config, own) => {
  expect(earlierLimit(config, captcha, own, definitions)).toBeUndefined();
});

it('names the ban where each of them is set up as its form begins, with the same limit', () => {
  const config = { ...sampleConfig(), plugins: [firstEntry(findDefinition('request-limit') as PluginDefinition)] };
  expect(earlierLimit(config, captcha, firstEntry(captcha), definitions)?.plugin).toBe('request-limit');
});

it('names none before the first of them', () => {
  const first = findDefinition('request-limit') as PluginDefinition;
  const other = { ...sampleConfig(), plugins: [entry({})] };
  expect(earlierLimit(other, first, { name: first.name, enabled: true, config: {} }, definitions)).toBeUndefined();
});

it('knows of two at one press of their switches which would stop the same clients first, whatever of them is on', () => {
  const route = sampleRoute({ draft: limited({ maxretry: 20 }, false) });
  const on = withRatesOn(route, definitions);
  expect(earlierLimit(on, captcha, entryAtPress(route, captcha), definitions)).toMatchObject({ requests: 20 });
});
