import { ApiError, type ClearKind } from '@cordon/contract';
import { type ReactNode, useState } from 'react';
import { failureTexts, fieldTexts } from '../../app/failure';
import { useCodeWords } from '../words/error-words';
import { faultsOfAnswer, findFaults, type ListedKind, type OwnNames, readLines, valuesMax } from './clear-lines';
import { LineFaults } from './line-faults';

/** What is chosen of a cache, as it is typed. */
export interface ClearChoice {
  readonly kind: ClearKind;
  /** Of each kind its own. */
  readonly texts: Readonly<Partial<Record<ListedKind, string>>>;
  readonly soft: boolean;
}

export const EVERYTHING: ClearChoice = { kind: 'all', texts: {}, soft: false };

export const isListed = (kind: ClearKind): kind is ListedKind => kind !== 'all';

interface ClearValuesOptions {
  readonly choice: ClearChoice;
  /** As `findFaults` takes them. */
  readonly own: OwnNames | 'several' | undefined;
  readonly domains?: number;
  /** Why the call was refused that asked for `asked`. */
  readonly error: Error | null;
  readonly asked:
    | { readonly kind?: ClearKind | undefined; readonly values?: readonly string[] | undefined }
    | undefined;
  readonly words?: ReturnType<typeof useCodeWords>;
}

/** The values that are chosen, and what is wrong with them: found here, once they were tried, or by the API. */
export function useClearValues({ choice, own, domains, error, asked, words: given }: ClearValuesOptions) {
  const codeWords = useCodeWords();
  const words = given ?? codeWords;
  const [isTried, setTried] = useState(false);
  const { kind } = choice;
  const lines = isListed(kind) ? readLines(kind, choice.texts[kind] ?? '') : [];
  const values = lines.map(({ value }) => value);
  const found = isListed(kind) ? findFaults(kind, lines, own) : [];
  const maximum = isListed(kind) ? valuesMax(kind, domains) : 0;
  const whole = !isListed(kind)
    ? undefined
    : lines.length === 0
      ? 'REQUIRED'
      : lines.length > maximum
        ? 'TOO_MANY'
        : undefined;
  const isSame = asked?.kind === kind && (asked.values ?? []).join('\n') === values.join('\n');
  const refusal = isSame ? error : null;
  const answered =
    refusal instanceof ApiError ? faultsOfAnswer(refusal.fields, lines, 'values', refusal.body?.params) : [];
  const refusedWhole = refusal ? fieldTexts(refusal).values : undefined;
  const faults = [...found, ...answered];
  const said: ReactNode = whole ? (
    words(whole, { maximum })
  ) : faults.length > 0 ? (
    <LineFaults faults={faults} words={words} />
  ) : (
    refusedWhole
  );
  const isPlaced = answered.length > 0 || refusedWhole !== undefined;
  return {
    values,
    maximum,
    /** What stands at their field. */
    error: isTried ? said : undefined,
    isRight: whole === undefined && found.length === 0,
    /** Of a refusal that their field does not show. */
    failed: refusal && !isPlaced ? failureTexts(refusal) : [],
    setTried,
  };
}
