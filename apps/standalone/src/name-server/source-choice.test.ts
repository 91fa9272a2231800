import { expect, it } from 'vitest';
import { SourceChoice } from './source-choice.ts';

const looks = (choice: SourceChoice, isUp: boolean, count: number, hasCopy = true) =>
  Array.from({ length: count }, () => choice.observe(isUp, hasCopy)).at(-1);

it('answers from the database as soon as it is there', () => {
  expect(new SourceChoice().observe(true, false)).toBe('database');
});

it('stays with it over one lost look, and takes the copy after two', () => {
  const choice = new SourceChoice();
  looks(choice, true, 1);
  expect(looks(choice, false, 1)).toBe('database');
  expect(looks(choice, true, 1)).toBe('database');
  expect(looks(choice, false, 2)).toBe('copy');
});

it('begins with the copy where the database is away', () => {
  expect(looks(new SourceChoice(), false, 2)).toBe('copy');
});

it('waits for the database where there is no copy', () => {
  const choice = new SourceChoice();
  expect(looks(choice, false, 50, false)).toBeUndefined();
  expect(choice.observe(true, false)).toBe('database');
  expect(looks(choice, false, 50, false)).toBe('database');
});

it('goes back only to a database that stays', () => {
  const choice = new SourceChoice();
  looks(choice, true, 1);
  looks(choice, false, 2);
  expect(looks(choice, true, 7)).toBe('copy');
  looks(choice, false, 1);
  expect(looks(choice, true, 7)).toBe('copy');
  expect(looks(choice, true, 1)).toBe('database');
});

it('takes the copy where PowerDNS does not get going on the database, and tries again later', () => {
  const choice = new SourceChoice();
  looks(choice, true, 20);
  choice.refuseDatabase(true);
  expect(looks(choice, true, 7)).toBe('copy');
  expect(looks(choice, true, 1)).toBe('database');
});
