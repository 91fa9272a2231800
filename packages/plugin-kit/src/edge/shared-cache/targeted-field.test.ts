import { describe, expect, it } from 'vitest';
import { noAnswerDirectives } from './directives.ts';
import { targetedDirectives } from './targeted-field.ts';
import { TARGETED_CASES } from './testing/directive-cases.ts';

describe('CDN-Cache-Control', () => {
  it.each(TARGETED_CASES.map((row) => [row.title, row] as const))('%s', (_, { lines, said }) => {
    expect(targetedDirectives(lines)).toEqual(said && { ...noAnswerDirectives(), ...said });
  });
});
