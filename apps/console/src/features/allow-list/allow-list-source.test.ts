// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import { rankGroups } from '../../app/palette/rank';
import { loadAllowListSource } from './allow-list-source';

it.each(['allow ip', 'whitelist', 'allow list', '白名单', '放行'])('%s leads to the allow list', async (typed) => {
  await needCatalogs('palette', 'shell');
  const source = await loadAllowListSource();
  const found = rankGroups(source.groups(), typed);
  expect(found.flatMap(({ items }) => items.map(({ id }) => id))).toContain('allow-addresses');
});
