import { describe, expect, it } from 'vitest';
import { text } from './text.ts';

const codesOf = (schema: ReturnType<typeof text>, value: string) =>
  schema.safeParse(value).error?.issues.map(({ code, message }) => (code === 'custom' ? message : code)) ?? [];

describe('text', () => {
  it.each(['a\0b', '\uD83D', 'x\uDE00', '\uDE00\uD83D'])('refuses what cannot be stored: %j', (value) => {
    expect(codesOf(text(10), value)).toEqual(['TEXT_INVALID']);
    expect(codesOf(text(10, { exact: true }), value)).toEqual(['TEXT_INVALID']);
  });
  it('takes whole characters of any plane, and lines', () => expect(text(10).parse('😀\n李\t')).toBe('😀\n李\t'));
  it('composes what is composed of parts, so that equal texts are equal', () => {
    expect(text(10).parse('e\u0301')).toBe('\u00e9');
    expect(text(10, { exact: true }).parse('e\u0301')).toBe('e\u0301');
  });
  it('is not composed where it is too long, or has more marks on a letter than a language has', () => {
    const piled = `a${'\u0301\u0316'.repeat(16)}`;
    expect(codesOf(text(100), piled)).toEqual(['TEXT_INVALID']);
    expect(text(100, { exact: true }).parse(piled)).toBe(piled);
    expect(text(100).parse(`a${'\u0301\u0316'.repeat(15)}`)).toHaveLength(30);
    const startedAt = performance.now();
    expect(codesOf(text(100), piled.repeat(20_000))).toEqual(['too_big']);
    expect(codesOf(text(100), 'e\u0301'.repeat(100_000))).toEqual(['too_big']);
    expect(codesOf(text(1_000_000), `a${'\u0301\u0316'.repeat(100_000)}`)).toEqual(['TEXT_INVALID']);
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
  it('is bounded, by a code of its own where it has one, after spaces around it are gone', () => {
    expect(codesOf(text(3), 'abcd')).toEqual(['too_big']);
    expect(text(3, { tooLong: 'ADDRESS_INVALID' }).safeParse('abcd').error?.issues[0]?.message).toBe('ADDRESS_INVALID');
    expect(text(3, { trim: true }).parse('  abc  ')).toBe('abc');
  });
  describe('that people read', () => {
    const name = text(10, { seen: true }).min(1);
    it.each(['\u200B', '\u200B\u200D \uFEFF', '\u3164', '\u2800', '\u202E\u200F', '\uFE0F', '\u00AD\t'])(
      'is required where there is nothing to see: %j',
      (value) => {
        expect(codesOf(name, value)).toEqual(['too_small']);
        expect(text(10, { seen: true }).parse(value)).toBe('');
      },
    );
    it.each(['\0', 'a\0', '\uD83D'])('is refused where it cannot be stored: %j', (value) =>
      expect(codesOf(name, value)).toEqual(['TEXT_INVALID']),
    );
    it('has no characters without width, so that what looks the same is the same', () => {
      expect(name.parse(' \uFEFFShop\u200B s\u202Eite\u2060\u3164\u034F ')).toBe('Shop site');
    });
    it.each(['👩‍💻', '❤️', 'می‌خواهم', '商店 二', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'])('keeps what writing needs: %s', (value) => {
      expect(text(20, { seen: true }).parse(value)).toBe(value);
    });
    it('has no control characters, and a name no breaks', () => {
      expect(name.parse('a\u0007b\u0085\u001b[c')).toBe('ab[c');
      expect(name.parse('a\r\n\tb')).toBe('a\r\n\tb');
      expect(text(10, { seen: 'line' }).parse('\na\r\n\tb\u2028c\n')).toBe('a b c');
    });
    it('is bounded by what is seen of it', () => {
      expect(name.parse(`${'a'.repeat(10)}\u200B`)).toBe('a'.repeat(10));
      expect(codesOf(name, '\u200B'.repeat(1_000_000))).toEqual(['too_big']);
    });
  });
});
