import { expect, it } from 'vitest';
import { csvLine } from './csv.ts';

it.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
  ' =1',
  '\t=1',
  '\r=1',
  '\n=1',
  '\u3000＝1',
])('keeps a spreadsheet from running %j', (cell) => expect(csvLine([cell])).toMatch(/^"?'/));

it('leaves other texts and our own numbers as they are', () =>
  expect(csvLine(['a=1', 'www.example.com', -1, null, 'a,"b"', ' a'])).toBe(
    'a=1,www.example.com,-1,,"a,""b"""," a"\r\n',
  ));
