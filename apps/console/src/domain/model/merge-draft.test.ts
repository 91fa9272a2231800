import { describe, expect, it } from 'vitest';
import { mergeDraft } from './merge-draft';

describe('mergeDraft', () => {
  it('joins changes to different fields', () => {
    expect(mergeDraft({ a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1, b: 3 })).toEqual({
      value: { a: 2, b: 3 },
      contested: [],
    });
  });
  it('keeps what was typed where both changed a field, and says so', () => {
    expect(mergeDraft({ a: 1 }, { a: 2 }, { a: 3 })).toEqual({ value: { a: 2 }, contested: ['a'] });
  });
  it('gives up for theirs what was chosen so, and nothing else', () => {
    const [base, mine, theirs] = [
      { a: 1, b: 1, c: 1 },
      { a: 2, b: 2, c: 2 },
      { a: 3, b: 3, c: 1 },
    ];
    expect(mergeDraft(base, mine, theirs, { b: 'theirs', c: 'theirs' })).toEqual({
      value: { a: 2, b: 3, c: 2 },
      contested: ['a', 'b'],
    });
  });
  it('does not call it a conflict when both want the same', () => {
    expect(mergeDraft({ a: [1] }, { a: [2] }, { a: [2] })).toEqual({ value: { a: [2] }, contested: [] });
  });
});
