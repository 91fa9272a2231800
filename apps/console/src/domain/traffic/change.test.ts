import { describe, expect, it } from 'vitest';
import { changeOf, directionOf, isComparable } from './change';

describe('changeOf', () => {
  it('is a share of the period before', () => expect(changeOf(150, 100)).toBe(0.5));
  it('is undefined when there was nothing before', () => expect(changeOf(5, 0)).toBeUndefined());
  it('can fall to nothing', () => expect(changeOf(0, 10)).toBe(-1));
});

describe('directionOf', () => {
  it('knows up and down', () => {
    expect(directionOf(0.2)).toBe('up');
    expect(directionOf(-0.2)).toBe('down');
  });
  it('calls less than half a percent flat', () => {
    expect(directionOf(0.004)).toBe('flat');
    expect(directionOf(-0.004)).toBe('flat');
  });
});

describe('isComparable', () => {
  const day = { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' };
  it('is so where the range before was lived through as a whole', () => {
    expect(isComparable(day, '2026-11-19T00:00:00Z')).toBe(true);
    expect(isComparable(day, '2026-11-19T00:00:01Z')).toBe(false);
    expect(isComparable(day, undefined)).toBe(false);
  });
});
