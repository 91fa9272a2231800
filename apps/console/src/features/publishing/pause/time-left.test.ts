import { describe, expect, it } from 'vitest';
import { timeLeft } from './time-left';

const now = Date.parse('2026-11-20T10:00:00Z');

describe('the time that is left', () => {
  it('is told as a clock', () => {
    expect(timeLeft('2026-11-20T13:59:07Z', now)).toBe('3:59:07');
    expect(timeLeft('2026-11-20T10:14:05Z', now)).toBe('14:05');
    expect(timeLeft('2026-11-20T10:00:00.200Z', now)).toBe('0:01');
  });

  it('is nothing once it is over', () => {
    expect(timeLeft('2026-11-20T10:00:00Z', now)).toBeUndefined();
    expect(timeLeft('2026-11-20T09:59:00Z', now)).toBeUndefined();
  });
});
