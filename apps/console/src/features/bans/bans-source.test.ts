// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import { rankGroups } from '../../app/palette/rank';
import { shellSource } from '../../app/shell/palette-source';
import { loadBansSource } from './bans-source';

it.each(['ban ip', 'block ip', 'block address', '封ip', '封 ip', '屏蔽 IP', '拉黑'])(
  '%s leads to banning an address',
  async (typed) => {
    await needCatalogs('palette', 'shell');
    const source = await loadBansSource();
    const found = rankGroups([...shellSource.groups(), ...source.groups()], typed);
    expect(found.flatMap(({ items }) => items.map(({ id }) => id))).toContain('ban-addresses');
  },
);
