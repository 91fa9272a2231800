/** What stands between a sentence and the next: nothing after a full-width stop. */
export const gapAfter = (sentence: string): string => (sentence.endsWith('。') ? '' : ' ');
