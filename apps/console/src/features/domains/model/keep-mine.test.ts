import { describe, expect, it } from 'vitest';
import { keepMine } from './keep-mine';

describe('keepMine', () => {
  it('joins changes to different fields', () => {
    expect(keepMine({ a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1, b: 3 })).toEqual({ value: { a: 2, b: 3 }, contested: [] });
  });
  it('keeps what was typed where both changed a field, and says so', () => {
    expect(keepMine({ a: 1 }, { a: 2 }, { a: 3 })).toEqual({ value: { a: 2 }, contested: ['a'] });
  });
  it('does not call it a conflict when both want the same', () => {
    expect(keepMine({ a: [1] }, { a: [2] }, { a: [2] })).toEqual({ value: { a: [2] }, contested: [] });
  });
});
