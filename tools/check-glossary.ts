import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findCatalogs } from './catalogs.ts';

type Language = 'en' | 'zh';

/** A word that the glossary rules out in one language. */
export interface RuledOut {
  readonly language: Language;
  readonly word: string;
  readonly instead: string;
  /** A name of the glossary that only looks like it: the tab Upstreams. */
  readonly except?: string;
}

/** Messages that may say a word that is ruled out, because they explain it. */
const EXPLAINED: ReadonlyMap<string, readonly string[]> = new Map([
  ['apps/console/src/features/names/shadow-domains/locales/en.json: add.body', ['shadow domain']],
  // The names of columns as files have them.
  ['apps/console/src/features/imports/locales/en.json: drop.pastePlaceholder', ['upstream']],
]);
/** What people type into the palette, whichever words they use. */
const TYPED = /\/(?:commands\/locales\/\w+|palette)\.json: (?:verbs|keywords|places)\./;

const HAN = '\\p{Script=Han}';
const TOUCHING = new RegExp(`${HAN}[A-Za-z0-9]|[A-Za-z0-9]${HAN}`, 'u');
/** A number that stands in a sentence: `#` of a plural, or an argument that is formatted as one. */
const NUMBER = '(?:#|\\{\\w+, number(?:, \\w+)?\\})';
const TOUCHING_NUMBER = new RegExp(`${HAN}${NUMBER}|${NUMBER}${HAN}`, 'u');
/** Values that are Chinese words, from the first character to the last. */
const CHINESE_VALUE = '(?:country|name)';
/** Values that begin with a number or a letter, and end in a Chinese word or mark: `24 小时`, `“响应头”`. A time may end in a number, `14:05`. */
const CHINESE_END = '(?:ago|country|names?|range)';
/** `3 分钟前` or `刚刚`: what stands before it cannot know whether a space is due, what stands after it never has one. */
const BESIDE_AGO = new RegExp(`${HAN} ?\\{ago\\}|\\{ago\\} ${HAN}`, 'u');
const MARK = '[，。；：！？、（）《》]';
/** A space beside a full-width mark, or between two Chinese characters. */
const NEEDLESS_SPACE = new RegExp(`${MARK} | ${MARK}|${HAN} ${HAN}`, 'u');
const TOUCHING_VALUE = new RegExp(`${HAN}\\{(?!${CHINESE_VALUE}\\})\\w+\\}|\\{(?!${CHINESE_END}\\})\\w+\\}${HAN}`, 'u');

/** Reads the table of words: English, Chinese, and what is ruled out in each. */
export function readGlossary(markdown: string): RuledOut[] {
  const rows = markdown.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    return cells.length === 6 && !/^-+$|^English$/.test(cells[1] ?? '') ? [cells] : [];
  });
  const words = (cell = '') => cell.split(',').flatMap((word) => word.trim() || []);
  const names = rows.map(([, english = '']) => english.split(/[:;]/)[0]?.trim() ?? '');
  const exceptOf = (word: string) => {
    const except = names.find((name) => name.toLowerCase() === `${word}s`);
    return except === undefined ? {} : { except };
  };
  return rows.flatMap(([, english = '', chinese = '', notEnglish, notChinese]) => [
    ...words(notEnglish).map((word) => ({ language: 'en' as const, word, instead: english, ...exceptOf(word) })),
    ...words(notChinese).map((word) => ({ language: 'zh' as const, word, instead: chinese })),
  ]);
}

/** The word as it is inflected, its parts joined by spaces or hyphens. */
function patternOf(word: string): RegExp {
  const literal = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '[ -]');
  const inflected = literal.endsWith('e') ? `${literal.slice(0, -1)}(?:e[sd]?|ing)` : `${literal}(?:e?s|ed|ing)?`;
  return new RegExp(`(?<![\\w-])${inflected}(?![\\w-])`, 'i');
}

const says = ({ language, word, except }: RuledOut, text: string): boolean =>
  language === 'zh' ? text.includes(word) : patternOf(word).test(except ? text.replaceAll(except, '') : text);

/** What is wrong with the words of one message. Arguments of a message are no words of it. */
export function judgeWords(language: Language, message: string, glossary: readonly RuledOut[]): string[] {
  // An empty element is filled with an address.
  const text = message.replace(/<(\w+)><\/\1>/g, 'a@b.example').replace(/<\/?\w+>/g, '');
  const problems = glossary
    .filter((one) => one.language === language && says(one, text))
    .map(({ word, instead }) => `“${word}” is ruled out: ${instead}`);
  if (language === 'zh' && [TOUCHING, TOUCHING_NUMBER, TOUCHING_VALUE].some((touching) => touching.test(text)))
    problems.push('a Chinese character touches a letter or number: put a space between');
  if (language === 'zh' && NEEDLESS_SPACE.test(text))
    problems.push('a space stands beside a full-width mark or between Chinese characters');
  if (/\S {2,}\S/.test(text)) problems.push('two spaces stand together');
  if (language === 'zh' && BESIDE_AGO.test(text))
    problems.push('how long ago may begin with a Chinese character: put it first, with no space after it');
  return problems;
}

/** What our own glossary rules out. */
const readOurs = () => readGlossary(readFileSync(new URL('../docs/glossary.md', import.meta.url), 'utf8'));

/** All problems of all catalogs. */
export function checkGlossary(glossary: readonly RuledOut[] = readOurs()): string[] {
  return findCatalogs().flatMap(({ file, zhFile, en, zh }) =>
    [
      { language: 'en' as const, path: file, messages: en },
      { language: 'zh' as const, path: zhFile, messages: zh },
    ].flatMap(({ language, path, messages }) =>
      [...messages].flatMap(([key, message]) => {
        if (TYPED.test(`${path}: ${key}`)) return [];
        const allowed = EXPLAINED.get(`${path}: ${key}`) ?? [];
        const relevant = glossary.filter(({ word }) => !allowed.includes(word));
        return judgeWords(language, message, relevant).map((problem) => `${path}: ${key}: ${problem}`);
      }),
    ),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = checkGlossary();
  for (const problem of problems) console.error(problem);
  console.log(problems.length === 0 ? 'The words are those of the glossary.' : `${problems.length} words to change.`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
