import { Globe } from 'lucide-react';
import { expect, it } from 'vitest';
import type { PaletteGroup, PaletteItem } from './palette-types';
import { rankGroups } from './rank';

const item = (id: string, label: string, more: Partial<PaletteItem> = {}): PaletteItem => ({
  id,
  label,
  icon: Globe,
  ...more,
});
const group = (id: string, ...items: PaletteItem[]): PaletteGroup => ({ id, label: id, items });
const listed = (groups: readonly PaletteGroup[]) => groups.map(({ id, items }) => [id, ...items.map((one) => one.id)]);

const known = [
  group('domains', item('1', 'api.example', { bonus: 12 }), item('2', 'shop.example'), item('1', 'api.example')),
  group('actions', item('add', 'Add a domain')),
];

it('keeps the order of its sources before anything is typed, each thing once', () => {
  expect(listed(rankGroups(known, ''))).toEqual([
    ['domains', '1', '2'],
    ['actions', 'add'],
  ]);
});

it('puts what was used last first among what fits alike, and the better group first', () => {
  expect(listed(rankGroups(known, 'example'))).toEqual([['domains', '1', '2']]);
  expect(listed(rankGroups(known, 'add'))).toEqual([['actions', 'add']]);
});

it('joins what the API found, once, also where only a remark fits', () => {
  const found = [group('domains', item('2', 'shop.example'), item('3', 'other.example', { hint: 'the old shop' }))];
  expect(listed(rankGroups(known, 'shop', found))).toEqual([['domains', '2', '3']]);
});

it('puts the group with the best first, whatever the order of the sources', () => {
  const groups = [group('domains', item('1', 'old-deploy.example')), group('actions', item('deploy', 'Deploy'))];
  expect(listed(rankGroups(groups, 'deploy')).map(([id]) => id)).toEqual(['actions', 'domains']);
  expect(listed(rankGroups(groups.toReversed(), 'deploy')).map(([id]) => id)).toEqual(['actions', 'domains']);
});

it('guesses by letters that lie apart only where nothing has what was typed', () => {
  const named = (keywords: string[]) =>
    group('actions', item('export', 'Export domains', { keywords }), item('copy', 'Copy some values'));
  expect(listed(rankGroups([named([])], 'csv'))).toEqual([['actions', 'copy']]);
  expect(listed(rankGroups([named(['csv'])], 'csv'))).toEqual([['actions', 'export']]);
  const found = [group('domains', item('1', 'by-a-remark.example'))];
  expect(listed(rankGroups([named([])], 'csv', found))).toEqual([['domains', '1']]);
});

it('has the way to the rest last, beside the most that are listed, and not of a group without any', () => {
  const names = Array.from({ length: 9 }, (_, index) => item(String(index), `shop-${index}.example`));
  const found = [{ ...group('domains', ...names), more: item('more', '38 more') }];
  expect(listed(rankGroups([], 'shop', found))).toEqual([['domains', ...'01234567', 'more']]);
  expect(listed(rankGroups([{ ...group('domains'), more: item('more', '38 more') }], 'shop'))).toEqual([]);
});
