import { BODY_VALUES_MAX } from '@cordon/contract';
import { describe, expect, it } from 'vitest';
import { FIELDS_MAX, shapeFault } from './json-body.ts';

const faultOf = (text: string) => shapeFault(Buffer.from(text));

describe('the shape of a body', () => {
  it('is bounded in depth', () => {
    expect(faultOf(`${'['.repeat(32)}${']'.repeat(32)}`)).toBeUndefined();
    expect(faultOf(`${'['.repeat(33)}${']'.repeat(33)}`)).toBe('too deep');
    expect(faultOf(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`)).toBe('too deep');
    expect(faultOf(JSON.stringify(Array(40).fill([[]])))).toBeUndefined();
  });
  it('is bounded in values', () => {
    expect(faultOf(JSON.stringify(Array(BODY_VALUES_MAX).fill(1)))).toBeUndefined();
    expect(faultOf(JSON.stringify(Array(BODY_VALUES_MAX + 2).fill(1)))).toBe('too many values');
  });
  it('is bounded in the fields of each object', () => {
    const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`a:${at}`, {}]));
    expect(faultOf(JSON.stringify(fields(FIELDS_MAX)))).toBeUndefined();
    expect(faultOf(JSON.stringify([{ a: fields(FIELDS_MAX + 1) }]))).toBe('too many fields');
    expect(faultOf(JSON.stringify(Array(10).fill({ a: fields(FIELDS_MAX), b: [1, 2] })))).toBeUndefined();
    expect(faultOf(':'.repeat(FIELDS_MAX + 1))).toBe('too many fields');
  });
  it.each(['[[[,,,', 'a"b', 'a\\"b', '\\', '\\\\', 'a\\\\"[['])('is not that of its texts: %j', (text) => {
    const many = JSON.stringify([text.repeat(20_000), { [text]: text }]);
    expect(faultOf(many)).toBeUndefined();
    expect(faultOf(`[${many},${'['.repeat(40)}`)).toBe('too deep');
  });
  it.each(['', '"', '"\\', '{"a', ']]]]', '"a" "b'])('is asked of what is no JSON as well: %j', (text) =>
    expect(faultOf(text)).toBeUndefined(),
  );
});
