import { isBlank, listMembers } from './field-syntax.ts';
import type { CacheAnswer } from './types.ts';

/** Adds what stands between blanks. */
function addWords(words: string[], text: string): void {
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at === text.length || isBlank(text.charCodeAt(at))) {
      if (at > start) words.push(text.substring(start, at));
      start = at + 1;
    }
  }
}

/** The tags of an answer by which it can be cleared: of Cache-Tag (commas between) and Surrogate-Key (blanks between), each once. */
export function tagsOf(this: void, answer: CacheAnswer): string[] {
  const written = listMembers(answer.fieldValues('cache-tag'));
  for (const line of answer.fieldValues('surrogate-key')) addWords(written, line);
  const tags: string[] = [];
  const isKnown: { [markedTag: string]: true | undefined } = {};
  for (const tag of written) {
    if (isKnown[`=${tag}`] !== true) tags.push(tag);
    isKnown[`=${tag}`] = true;
  }
  return tags;
}
