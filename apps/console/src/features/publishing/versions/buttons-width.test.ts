import { expect, it } from 'vitest';
import { buttonsWidth } from './buttons-width';

const compare = { label: 'Compare', hasIcon: true };

it.each([
  [[], 'minmax(16px, 16px)'],
  [[[]], 'minmax(16px, 16px)'],
  [[[compare]], 'minmax(121px, 121px)'],
  [[[compare], [compare, { label: 'Roll back to version 12' }]], 'minmax(210px, 323px)'],
  [[[{ label: '比较', hasIcon: true }, { label: '回滚' }]], 'minmax(154px, 154px)'],
])('has room for the widest row of %j', (rows, width) => {
  expect(buttonsWidth(rows)).toBe(width);
});
