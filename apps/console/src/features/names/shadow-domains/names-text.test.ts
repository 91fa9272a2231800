import { describe, expect, it } from 'vitest';
import { readNames, withoutNames } from './names-text';

const rules = { mainName: 'www.example.com', canHaveWildcards: true };

describe('pasted names', () => {
  it('may stand on lines, behind commas of either language, and in a table', () => {
    const { names, wrong } = readNames('a.example.com, B.example.com；c.example.com\r\n\td.example.com\n\n', rules);
    expect(names).toEqual(['a.example.com', 'b.example.com', 'c.example.com', 'd.example.com']);
    expect(wrong).toEqual([]);
  });

  it('are taken once each', () => {
    expect(readNames('a.example.com A.EXAMPLE.COM', rules)).toEqual({
      names: ['a.example.com'],
      wrong: [],
      repeated: 1,
    });
  });

  it('that are wrong are told with their reason', () => {
    const { names, wrong } = readNames('https://a.example.com/x WWW.example.com *.example.com example', {
      ...rules,
      canHaveWildcards: false,
    });
    expect(names).toEqual([]);
    expect(wrong.map(({ text, code }) => [text, code])).toEqual([
      ['https://a.example.com/x', 'DOMAIN_NAME_IS_URL'],
      ['WWW.example.com', 'SHADOW_IS_MAIN'],
      ['*.example.com', 'WILDCARD_NEEDS_VIP'],
      ['example', 'DOMAIN_NAME_NEEDS_DOT'],
    ]);
  });

  it('can be left out again', () => {
    expect(
      withoutNames('a.example.com,B.example.com\nexample d.example.com', new Set(['b.example.com', 'example'])),
    ).toBe('a.example.com\nd.example.com');
  });
});
