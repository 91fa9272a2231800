import type { CheckState, DiagnosisAdvice, DiagnosisCheck, DiagnosisItem } from '@cordon/contract';

/** What a check found. */
export interface Found {
  readonly state: CheckState;
  /** One of `diagnosisFindings` of the check. */
  readonly finding: string;
  readonly params?: DiagnosisItem['params'];
  readonly advice?: DiagnosisAdvice;
  readonly items?: DiagnosisItem[];
  /** Since when it is so, ISO 8601, where that was noted. */
  readonly since?: string | null;
}

/** What was found, and by which check. */
export interface Line extends Found {
  readonly check: DiagnosisCheck;
}

/** A text list for the eye, bounded. */
export const textOf = (values: readonly string[], shown = 5): string =>
  values.length <= shown ? values.join(', ') : `${values.slice(0, shown).join(', ')} …`;
