import type { ClearKind } from '@cordon/contract';
import { useState } from 'react';
import { failureTexts } from '../../app/failure';
import { useStandingError } from '../form/use-standing-error';
import { useCodeWords } from '../words/error-words';
import { type ListedKind, type OwnNames, valuesMax } from './clear-lines';
import { judgeLines } from './judge-lines';

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

/** The values that are chosen, and what is wrong with them once they were tried. */
export function useClearValues({ choice, own, domains, error, asked, words: given }: ClearValuesOptions) {
  const codeWords = useCodeWords();
  const words = given ?? codeWords;
  const [isTried, setTried] = useState(false);
  const { kind, texts } = choice;
  const maximum = isListed(kind) ? valuesMax(kind, domains) : 0;
  const standing = useStandingError(error, choice);
  const refusal = asked?.kind === kind ? standing : null;
  const { values, said, isRight, failed } = isListed(kind)
    ? judgeLines({ kind, text: texts[kind] ?? '', own, maximum, error: refusal, asked: asked?.values, words })
    : { values: [], said: undefined, isRight: true, failed: refusal ? failureTexts(refusal) : [] };
  return {
    values,
    maximum,
    /** What stands at their field. */
    error: isTried ? said : undefined,
    isRight,
    /** Of a refusal that their field does not show. */
    failed,
    setTried,
  };
}
