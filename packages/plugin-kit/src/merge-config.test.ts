import { expect, it } from 'vitest';
import { mergeConfig } from './merge-config.ts';

it('adds to the lists, in order and without doubles, and sets everything else', () => {
  const own = { countries: ['DE', 'FR'], mode: 'Whitelist', nested: { codes: [404, 500], on: false }, kept: 1 };
  const brought = { countries: ['FR', 'JP'], mode: 'Blacklist', nested: { codes: [500, 503], on: true }, kept: 2 };
  expect(mergeConfig(own, brought)).toEqual({
    countries: ['DE', 'FR', 'JP'],
    mode: 'Blacklist',
    nested: { codes: [404, 500, 503], on: true },
    kept: 2,
  });
});

it('sets lists of anything but texts and numbers', () => {
  const field = (name: string) => ({ name, value: '1' });
  expect(mergeConfig({ headers: [field('X-A')] }, { headers: [field('X-B')] })).toEqual({ headers: [field('X-B')] });
});

it.each([
  [
    'what is there already, however it is written',
    ['8.8.8.0/24'],
    ['8.8.8.9/24', '9.9.9.9'],
    ['8.8.8.0/24', '9.9.9.9'],
  ],
  ['what a wider block has', ['8.8.8.0/24'], ['8.8.8.8'], ['8.8.8.0/24']],
  ['what the wider block that comes has', ['8.8.8.8', '9.9.9.9'], ['8.8.8.0/24'], ['9.9.9.9', '8.8.8.0/24']],
  ['nothing of the other family', ['8.8.8.8'], ['::808:808'], ['8.8.8.8', '::808:808']],
] as const)('leaves out of addresses %s: the list would refuse both', (_, own, brought, merged) => {
  expect(mergeConfig({ deny: own }, { deny: brought })).toEqual({ deny: merged });
});

it('changes nothing where everything is there', () => {
  const own = { deny: ['9.9.9.9', '8.8.8.0/24'], mode: true };
  expect(mergeConfig(own, { deny: ['8.8.8.8'], mode: true })).toEqual(own);
});
