import { expect, it } from 'vitest';
import { merge } from './merge.ts';
import { schema } from './schema.ts';

const only = (allow: string[], more = {}) => schema.parse({ allow, whitelistMode: true, ...more });
const all = (deny: string[], more = {}) => schema.parse({ deny, blacklistMode: true, ...more });

it.each([
  [
    'a block list to an allow list: both',
    only(['8.8.0.0/16']),
    all(['9.9.9.9']),
    {
      ...only(['8.8.0.0/16']),
      deny: ['9.9.9.9'],
      blacklistMode: true,
    },
  ],
  [
    'an allow list to a block list: both',
    all(['9.9.9.9']),
    only(['8.8.0.0/16']),
    {
      ...only(['8.8.0.0/16']),
      deny: ['9.9.9.9'],
      blacklistMode: true,
    },
  ],
  ['a block list to a block list', all(['9.9.9.9']), all(['8.8.8.8']), all(['9.9.9.9', '8.8.8.8'])],
  [
    'an allow list, and not what the domain lists without using it',
    all(['9.9.9.9'], { allow: ['7.7.7.7'] }),
    only(['8.8.8.8']),
    { ...only(['8.8.8.8']), deny: ['9.9.9.9'], blacklistMode: true },
  ],
  [
    'a block list, and not what the template lists without using it',
    only(['8.8.8.8'], { allow_spiders: false }),
    all(['9.9.9.9'], { allow: ['7.7.7.7'] }),
    { ...only(['8.8.8.8'], { allow_spiders: false }), deny: ['9.9.9.9'], blacklistMode: true },
  ],
])('adds %s', (_, own, brought, expected) => {
  expect(merge(own, brought)).toEqual(expected);
  expect(merge(merge(own, brought), brought)).toEqual(expected);
});
