import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findCatalogs } from './catalogs.ts';

type Language = 'en' | 'zh';

/** A word that the glossary rules out in one language. */
export interface RuledOut {
  readonly language: Language;
  readonly word: string;
  readonly instead: string;
}

/** Messages that may say a word that is ruled out, because they explain it. */
const EXPLAINED: ReadonlyMap<string, readonly string[]> = new Map([
  ['apps/console/src/features/names/shadow-domains/locales/en.json: add.body', ['shadow domain']],
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
const TOUCHING_VALUE = new RegExp(`${HAN}\\{(?!${CHINESE_VALUE}\\})\\w+\\}|\\{(?!${CHINESE_END}\\})\\w+\\}${HAN}`, 'u');

/** Reads the table of words: English, Chinese, and what is ruled out in each. */
export function readGlossary(markdown: string): RuledOut[] {
  const rows = markdown.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    return cells.length === 6 && !/^-+$|^English$/.test(cells[1] ?? '') ? [cells] : [];
  });
  const words = (cell = '') => cell.split(',').flatMap((word) => word.trim() || []);
  return rows.flatMap(([, english = '', chinese = '', notEnglish, notChinese]) => [
    ...words(notEnglish).map((word) => ({ language: 'en' as const, word, instead: english })),
    ...words(notChinese).map((word) => ({ language: 'zh' as const, word, instead: chinese })),
  ]);
}

const says = ({ language, word }: RuledOut, text: string): boolean =>
  language === 'zh'
    ? text.includes(word)
    : new RegExp(`(?<![\\w-])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`, 'i').test(text);

/** What is wrong with the words of one message. Arguments of a message are no words of it. */
export function judgeWords(language: Language, message: string, glossary: readonly RuledOut[]): string[] {
  const text = message.replace(/<\/?\w+>/g, '');
  const problems = glossary
    .filter((one) => one.language === language && says(one, text))
    .map(({ word, instead }) => `“${word}” is ruled out: ${instead}`);
  if (language === 'zh' && [TOUCHING, TOUCHING_NUMBER, TOUCHING_VALUE].some((touching) => touching.test(text)))
    problems.push('a Chinese character touches a letter or number: put a space between');
  if (language === 'zh' && BESIDE_AGO.test(text))
    problems.push('how long ago may begin with a Chinese character: put it first, with no space after it');
  return problems;
}

/** All problems of all catalogs. */
export function checkGlossary(): string[] {
  const glossary = readGlossary(readFileSync(new URL('../docs/glossary.md', import.meta.url), 'utf8'));
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
