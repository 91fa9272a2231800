import { expect, it } from 'vitest';
import { applyChange, EMPTY_CONFIG } from './config.ts';

const entriesAfter = (...changes: { name: string; enabled: boolean; config: Record<string, unknown> }[]) =>
  changes.reduce((draft, plugin) => applyChange(draft, { plugins: [plugin] }), EMPTY_CONFIG).plugins;

it('keeps no entry of a plugin that is off and has no configuration', () => {
  const on = { name: 'ip-restriction', enabled: true, config: { deny: ['198.41.128.7'] } };
  const off = { ...on, enabled: false };
  expect(entriesAfter(on, off)).toEqual([off]);
  expect(entriesAfter(on, { ...off, config: {} })).toEqual([]);
});

it('can switch off what is on by itself, and on again, which leaves nothing to deploy', () => {
  const off = { name: 'allow-list', enabled: false, config: {} };
  expect(entriesAfter(off)).toEqual([off]);
  expect(entriesAfter(off, { ...off, enabled: true })).toEqual([]);
});
