import { expect, it } from 'vitest';
import { joinSentences } from './sentences';

it.each<[string, (string | false | undefined)[]]>([
  ['One. Two.', ['One.', false, 'Two.']],
  ['一。二。', ['一。', undefined, '二。']],
  ['没有网络', ['没有网络']],
])('writes “%s” as its language does', (text, sentences) => expect(joinSentences(sentences)).toBe(text));
