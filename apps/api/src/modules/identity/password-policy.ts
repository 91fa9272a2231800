import type { FieldErrorCode } from '@cordon/contract';
import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from '@cordon/contract/constants';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { commonPasswords, commonWords } from './common-passwords.ts';

/** Passwords of digits alone are telephone numbers and dates unless they are long. */
const DIGITS_ONLY_MIN = 16;
/** Decoration around a common word that adds nothing: `!!Password2024`. */
const DECORATION_MAX = 8;
/** What zxcvbn calls safely unguessable (a score of 3). */
const GUESSES_MIN = 1e8;
/** The time of an estimate grows with the square of the length, and with each way to read `4` as `a`. */
const ESTIMATED_CHARACTERS_MAX = 24;
const SUBSTITUTIONS_MAX = 3;

const estimator = new ZxcvbnFactory({
  dictionary: { ...dictionary, ownWords: [...commonWords] },
  graphs: adjacencyGraphs,
  maxLength: ESTIMATED_CHARACTERS_MAX,
  l33tMaxSubstitutions: SUBSTITUTIONS_MAX,
});
// The first estimate takes ten times as long as the next: while the API starts, not while it serves.
estimator.check('p4$$w0rd 19991231 qwerty');

export interface PasswordContext {
  /** As `normalizeEmail` gives it. */
  readonly email: string;
  /** Names that an attacker tries first: the brand, the person. */
  readonly names?: readonly string[];
}

/**
 * What is wrong with a new password, or null. Refuses what is short, what is the person's own address, and what
 * attackers try first: common passwords, common words under decoration or doubled, repeated characters, runs along the
 * keyboard or the alphabet, and what zxcvbn finds besides (dates, breached words in series). No rule on kinds of
 * characters (NIST SP 800-63B 3.1.1.2).
 */
export function passwordFault(password: string, context: PasswordContext): FieldErrorCode | null {
  const length = [...password].length;
  if (length < PASSWORD_CHARACTERS_MIN) return 'PASSWORD_TOO_SHORT';
  if (length > PASSWORD_CHARACTERS_MAX) return 'TOO_LONG';
  const text = password.normalize('NFKC').toLowerCase();
  if (isEmailLike(text, context.email)) return 'PASSWORD_IS_EMAIL';
  return isCommon(text, context.names ?? []) ? 'PASSWORD_BREACHED' : null;
}

function isEmailLike(text: string, email: string): boolean {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  if (text === email.toLowerCase() || text === `${local}${domain}` || text === domain) return true;
  const core = withoutDecoration(text);
  return local.length >= 4 && (core === local || core === withoutDecoration(local) || text === local);
}

function isCommon(text: string, names: readonly string[]): boolean {
  if (commonPasswords.has(text)) return true;
  if (new Set(text).size <= 3) return true;
  if (/^\d+$/.test(text) && text.length < DIGITS_ONLY_MIN) return true;
  if (runShare(text) >= 0.8) return true;
  const unit = repeatedUnit(text);
  if (unit !== null && unit.length <= 6) return true;
  const words = new Set(
    names.flatMap((name) => name.toLowerCase().split(/[^\p{L}\p{N}]+/u)).filter((word) => word.length >= 3),
  );
  if ([text, ...(unit === null ? [] : [unit])].some((part) => isCommonCore(part, words))) return true;
  return estimator.check(text, [...words]).guesses < GUESSES_MIN;
}

function isCommonCore(text: string, names: ReadonlySet<string>): boolean {
  if (commonPasswords.has(text)) return true;
  const isWord = (word: string): boolean => commonWords.has(word) || names.has(word);
  for (const plain of [text, undisguise(text)]) {
    const core = withoutDecoration(plain);
    if (text.length - core.length > DECORATION_MAX) continue;
    const letters = undisguise(core).replace(/[^\p{L}]/gu, '');
    if (letters.length < 3) continue;
    if (isWord(letters) || (letters.length <= 24 && isPairOf(letters, isWord))) return true;
  }
  return false;
}

function isPairOf(letters: string, isWord: (word: string) => boolean): boolean {
  for (let at = 3; at <= letters.length - 3; at += 1)
    if (isWord(letters.slice(0, at)) && isWord(letters.slice(at))) return true;
  return false;
}

const withoutDecoration = (text: string): string => text.replace(/^[^\p{L}]+/u, '').replace(/[^\p{L}]+$/u, '');

const DISGUISES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '€': 'e',
};
const undisguise = (text: string): string => text.replace(/[0134578@$!€]/g, (mark) => DISGUISES[mark] ?? mark);

/** The shortest text that repeated gives `text` (its last repetition may be cut short), or null. */
function repeatedUnit(text: string): string | null {
  for (let length = 1; length <= text.length / 2; length += 1) {
    const unit = text.slice(0, length);
    if (unit.repeat(Math.ceil(text.length / length)).startsWith(text)) return unit;
  }
  return null;
}

const WALKS = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop[]',
  "asdfghjkl;'",
  'zxcvbnm,./',
  'qwertzuiop',
  'azertyuiop',
  'qsdfghjklm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'qawsedrftgyhujikolp',
  'a1b2c3d4e5f6g7h8i9j0',
  '1a2b3c4d5e6f7g8h9i0j',
].flatMap((walk) => [walk, [...walk].reverse().join('')]);
const SHIFTED: Readonly<Record<string, string>> = {
  '!': '1',
  '@': '2',
  '#': '3',
  $: '4',
  '%': '5',
  '^': '6',
  '&': '7',
  '*': '8',
  '(': '9',
  ')': '0',
};

/** Share of the characters that lie in runs: three or more along a keyboard walk, or the same one again. */
function runShare(text: string): number {
  const typed = text.replace(/[!@#$%^&*()]/g, (mark) => SHIFTED[mark] ?? mark);
  let covered = 0;
  for (let at = 0; at < typed.length; ) {
    const length = runLengthAt(typed, at);
    if (length >= 3) covered += length;
    at += length >= 3 ? length : 1;
  }
  return covered / typed.length;
}

function runLengthAt(text: string, at: number): number {
  let same = 1;
  while (text[at + same] === text[at] && at + same < text.length) same += 1;
  let longest = same;
  for (const walk of WALKS) {
    for (let from = walk.indexOf(text[at] as string); from !== -1; from = walk.indexOf(text[at] as string, from + 1)) {
      let length = 1;
      while (at + length < text.length && from + length < walk.length && walk[from + length] === text[at + length])
        length += 1;
      longest = Math.max(longest, length);
    }
  }
  return longest;
}
