import { describe, expect, it } from 'vitest';
import { noAnswerDirectives } from './directives.ts';
import { surrogateDirectives } from './surrogate-control.ts';
import { SURROGATE_CASES } from './testing/directive-cases.ts';

describe('Surrogate-Control', () => {
  it.each(SURROGATE_CASES.map((row) => [row.title, row] as const))('%s', (_, { lines, said }) => {
    expect(surrogateDirectives(lines)).toEqual(said && { ...noAnswerDirectives(), ...said });
  });
});
