import { findDefinition } from '@cordon/plugins/definitions';
import { expect, it } from 'vitest';
import { pluginNotices } from './plugin-notices';

const definition = findDefinition('ip-restriction');
if (!definition) throw new Error('no such plugin');
const noticesOf = (config: Record<string, unknown>) =>
  pluginNotices(definition, {
    allow: [],
    deny: [],
    whitelistMode: false,
    blacklistMode: true,
    allow_spiders: true,
    ...config,
  }).map(({ message, params }) => [message, params.entry]);
const ignored = ['notices.special_address', '10.0.0.0/8'];

it('keeps telling of the right entries while one is wrong', () => {
  expect(noticesOf({ deny: ['198.41.128.7', '10.0.0.0/8'] })).toEqual([ignored]);
  expect(noticesOf({ deny: ['nonsense', '198.41.128.7', '10.0.0.0/8'] })).toEqual([ignored]);
});

it('tells of entries while the whole is not valid yet', () => {
  expect(noticesOf({ deny: ['10.0.0.0/8'] })).toEqual([ignored]);
  expect(noticesOf({ deny: ['10.0.0.0/8'], blacklistMode: false })).toContainEqual(ignored);
});

it('says nothing of what is not there', () => {
  expect(pluginNotices(definition, {})).toEqual([]);
});
