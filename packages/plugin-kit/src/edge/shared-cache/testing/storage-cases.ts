import { LIFETIME_CASES } from './lifetime-cases.ts';
import { POLICY_CASES } from './policy-cases.ts';
import { PRIVACY_CASES } from './privacy-cases.ts';
import { STALE_CASES } from './stale-cases.ts';
import { STATUS_CASES } from './status-cases.ts';
import type { TitledCase } from './storage-case.ts';

export const STORAGE_CASES: readonly TitledCase[] = [
  ...[...STATUS_CASES, ...PRIVACY_CASES, ...LIFETIME_CASES, ...STALE_CASES, ...POLICY_CASES],
];
