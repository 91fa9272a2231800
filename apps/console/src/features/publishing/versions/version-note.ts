import type { VersionSummary } from '@cordon/contract';

/**
 * Why a version was deployed, in the words of who deployed it. Rollbacks without a note were once stored with one of the console's
 * own, in the language of the moment; that a version is a rollback is said beside it.
 */
export function noteOf({ note, rolled_back_to: version }: Pick<VersionSummary, 'note' | 'rolled_back_to'>): string {
  const isOurs = version !== null && [`Rolled back to version ${version}`, `回滚到版本 ${version}`].includes(note);
  return isOurs ? '' : note;
}
