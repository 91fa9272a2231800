/** What a person types and what is looked through, made alike: case, width, accents and combining marks do not count. */
export const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

const WHOLE = 100;
const START = 80;
const LABEL_START = 70;
const WORD_START = 65;
const INSIDE = 50;
/** Of letters that lie apart, the best; what has the word as it was typed scores more. */
export const SCATTERED_MAX = 35;
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

/** A dot at the end of what is typed is that of a label, or of a whole name, which may be written so. */
const asTyped = (word: string, name: string): string => (word.endsWith('.') ? `${name}.` : name);

/** In a name, whose labels end with dots: a long one has the letters of many a word, so that they must stand together. */
function scoreWord(word: string, name: string): number | undefined {
  if (name === word) return WHOLE;
  const at = name.indexOf(word);
  if (at <= 0) return at === 0 ? START : undefined;
  if (name.includes(`.${word}`)) return LABEL_START;
  return startsWordIn(word, name) ? WORD_START : INSIDE;
}

function startsWordIn(word: string, text: string): boolean {
  for (let from = text.indexOf(word); from >= 0; from = text.indexOf(word, from + 1))
    if (isBoundary(text[from - 1])) return true;
  return false;
}

function scoreScattered(word: string, text: string): number | undefined {
  // Two letters are scattered in almost every text.
  const letters = [...word];
  return letters.length < 3 ? undefined : scattered(letters, [...text]);
}

/** Chinese has no spaces; after one of these stands what is meant by its opposite: 封禁, 解除封禁. */
const OPPOSITE = /(?:解除|取消|结束|停止|关闭|不|未|已)$/;

/** As `scoreWord`, in words of a language: `publish` is not meant by `unpublish`. */
function scoreInWords(word: string, text: string): number | undefined {
  if (text === word) return WHOLE;
  const at = text.indexOf(word);
  if (at === 0) return START;
  if (at < 0) return scoreScattered(word, text);
  if (startsWordIn(word, text)) return WORD_START;
  return isWholeWord(word) && !OPPOSITE.test(text.slice(0, at)) ? INSIDE : undefined;
}

/** As `scoreInWords`, in what a thing is also called: `pause` alone does not mean `end pause`, whose first word must be typed too. */
function scoreInPhrase(word: string, phrase: string, typed: readonly string[]): number | undefined {
  const score = scoreInWords(word, phrase);
  if (score !== WORD_START) return score;
  const [first = ''] = phrase.split(' ');
  return typed.some((one) => one !== word && first.startsWith(one)) ? score : undefined;
}

/** What a thing is found by. */
export interface Findable {
  /** Any part of them counts: of a domain as people read it and as DNS writes it. */
  readonly names?: readonly string[];
  /** Beginnings of their words count. */
  readonly labels?: readonly string[];
  /** What it is called besides, by their beginnings. */
  readonly phrases?: readonly string[];
}

/**
 * How well a query fits a thing: every word of the query must fit one of its texts. Undefined: not at all. An empty query
 * fits everything alike.
 */
export function fuzzyScore(query: string, { names = [], labels = [], phrases = [] }: Findable): number | undefined {
  const words = plain(query).split(/\s+/).filter(Boolean);
  const known = { names: names.map(plain), labels: labels.map(plain), phrases: phrases.map(plain) };
  const whole = words.join(' ');
  // A query that is all of a phrase means it more than one that it begins with.
  if (whole !== '' && known.phrases.includes(whole)) return WHOLE;
  let sum = 0;
  for (const word of words) {
    const best = Math.max(
      0,
      ...known.names.map((text) => scoreWord(word, asTyped(word, text)) ?? 0),
      ...known.labels.map((text) => scoreInWords(word, text) ?? 0),
      ...known.phrases.map((text) => scoreInPhrase(word, text, words) ?? 0),
    );
    if (best === 0) return undefined;
    sum += best;
  }
  return words.length === 0 ? 0 : sum / words.length;
}
