import { ApiError } from '@cordon/contract';
import type { ReactNode } from 'react';
import { failureTexts, fieldTexts } from '../../app/failure';
import type { useCodeWords } from '../words/error-words';
import { faultsOfAnswer, findFaults, type ListedKind, type OwnNames, readLines } from './clear-lines';
import { LineFaults } from './line-faults';

interface LinesOptions {
  readonly kind: ListedKind;
  readonly text: string;
  /** As `findFaults` takes them. */
  readonly own: OwnNames | 'several' | undefined;
  readonly maximum: number;
  /** An empty text is none. */
  readonly isNeeded?: boolean;
  /** The field of the call that they are. */
  readonly list?: 'values' | 'urls';
  /** Why the call was refused that was made with `asked`. */
  readonly error: unknown;
  readonly asked: readonly string[] | undefined;
  readonly words: ReturnType<typeof useCodeWords>;
}

/** Values that are typed, one per line, and what is wrong with them: found here, or by the API. */
export function judgeLines(options: LinesOptions) {
  const { kind, text, own, maximum, isNeeded = true, list = 'values', error, asked, words } = options;
  const lines = readLines(kind, text);
  const values = lines.map(({ value }) => value);
  const found = findFaults(kind, lines, own);
  const whole = isNeeded && lines.length === 0 ? 'REQUIRED' : lines.length > maximum ? 'TOO_MANY' : undefined;
  // What was refused before says nothing of what is typed now.
  const refusal = asked?.join('\n') === values.join('\n') ? error : null;
  const answered = refusal instanceof ApiError ? faultsOfAnswer(refusal.fields, lines, list, refusal.body?.params) : [];
  const refusedWhole = refusal ? fieldTexts(refusal)[list] : undefined;
  const faults = [...found, ...answered];
  const isByLine = whole === undefined && faults.length > 0;
  const said: ReactNode = whole ? (
    words(whole, { maximum })
  ) : isByLine ? (
    <LineFaults faults={faults} words={words} />
  ) : (
    refusedWhole
  );
  return {
    values,
    /** What is wrong, for their field. */
    said,
    /** That it is said line by line. */
    isByLine,
    /** Without asking the API. */
    isRight: whole === undefined && found.length === 0,
    /** Of a refusal that `said` does not say. */
    failed: refusal && answered.length === 0 && refusedWhole === undefined ? failureTexts(refusal) : [],
  };
}
