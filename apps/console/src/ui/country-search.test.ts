import { expect, it } from 'vitest';
import { createCountrySearch } from './country-search';

it.each([
  ['en', 'UK', 'United Kingdom'],
  ['en', 'USA', 'United States'],
  ['en', ' uae ', 'United Arab Emirates'],
  ['en', 'in', 'India'],
  ['en', '中国', 'China'],
  ['en', 'cote d', 'Côte d’Ivoire'],
  ['en', 'chi', 'China'],
  ['en', 'united', 'United States'],
  ['en', 'south', 'South Korea'],
  ['en', 'aus', 'Australia'],
  ['en', 'ch', 'Switzerland'],
  ['zh', 'chi', '中国'],
  ['zh', '中', '中国'],
  ['zh', 'uk', '英国'],
  ['zh', 'germ', '德国'],
  ['zh', '中国', '中国'],
])('in %s finds for %j first %s', (locale, typed, name) => {
  expect(createCountrySearch(locale).find(typed)[0]?.name).toBe(name);
});

it('has those that contain what is typed after those that begin with it', () => {
  const names = createCountrySearch('en')
    .find('guinea')
    .map(({ name }) => name);
  expect(names[0]).toBe('Guinea');
  expect(names.indexOf('Guinea-Bissau')).toBeLessThan(names.indexOf('Equatorial Guinea'));
});

it('finds nothing for what is no country, and all for nothing', () => {
  const { all, find } = createCountrySearch('en');
  expect(find('xyzzy')).toEqual([]);
  expect(find('  ')).toHaveLength(all.length);
});

it('reads a list in either language, with what it does not know', () => {
  const { readList } = createCountrySearch('en');
  const read = readList('germany, FR，日本; uk\nAtlantis');
  expect(read?.countries.map(({ code }) => code)).toEqual(['DE', 'FR', 'JP', 'GB']);
  expect(read?.unknown).toEqual(['atlantis']);
  expect(readList('germany')).toBeUndefined();
});
