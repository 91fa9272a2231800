/** What a person types and what is looked through, made alike: case, width, accents and combining marks do not count. */
export const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

const WHOLE = 100;
const START = 80;
const WORD_START = 65;
const INSIDE = 50;
const SCATTERED_MAX = 35;
const isBoundary = (character: string | undefined) => character === undefined || !/[\p{L}\p{N}]/u.test(character);
const isWholeWord = (character: string) => /\p{Script=Han}/u.test(character);

/** Letters of the word in order, with gaps that end at beginnings of words: letters from anywhere fit every long name. */
function scattered(word: readonly string[], text: readonly string[]): number | undefined {
  let at = -1;
  let cost = 0;
  for (const letter of word) {
    const next = text.findIndex(
      (one, index) =>
        index > at && one === letter && (index === at + 1 || isWholeWord(one) || isBoundary(text[index - 1])),
    );
    if (next < 0) return undefined;
    if (next !== at + 1) cost += Math.min(6, next - at);
    at = next;
  }
  const score = SCATTERED_MAX - cost;
  return score > 0 ? score : undefined;
}

function scoreWord(word: string, text: string): number | undefined {
  if (text === word) return WHOLE;
  const at = text.indexOf(word);
  if (at === 0) return START;
  if (at > 0) {
    for (let from = at; from >= 0; from = text.indexOf(word, from + 1))
      if (isBoundary(text[from - 1])) return WORD_START;
    return INSIDE;
  }
  // Two letters are scattered in almost every text.
  const letters = [...word];
  return letters.length < 3 ? undefined : scattered(letters, [...text]);
}

/**
 * How well a query fits a thing that goes by several texts (a name as people read it and as DNS writes it, synonyms):
 * every word of the query must fit one of them. Undefined: not at all. An empty query fits everything alike.
 */
export function fuzzyScore(query: string, texts: readonly string[]): number | undefined {
  const words = plain(query).split(/\s+/).filter(Boolean);
  const known = texts.map(plain);
  let sum = 0;
  for (const word of words) {
    const scores = known.map((text) => scoreWord(word, text) ?? 0);
    const best = Math.max(0, ...scores);
    if (best === 0) return undefined;
    sum += best;
  }
  return words.length === 0 ? 0 : sum / words.length;
}
