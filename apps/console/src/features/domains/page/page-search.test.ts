import { expect, it } from 'vitest';
import { readPageSearch } from './page-search';

it.each([
  ['versions', 'versions'],
  ['history', 'versions'],
  ['diagnose', 'diagnosis'],
  ['aliases', 'shadow-domains'],
  ['overview', 'overview'],
  ['constructor', undefined],
  [['versions'], undefined],
  [undefined, undefined],
])('reads %j as the tab %j, whatever it is called on the screen or was once called', (typed, tab) => {
  expect(readPageSearch({ tab: typed }).tab).toBe(tab);
});

it('reads the panel that an address leads to', () => {
  expect(readPageSearch({ tab: 'caching', panel: 'clear' })).toMatchObject({ tab: 'caching', panel: 'clear' });
  expect(readPageSearch({ panel: ['clear'] }).panel).toBeUndefined();
});
