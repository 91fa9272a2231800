/** Sentences after each other, as their language writes them. */
export const joinSentences = (sentences: readonly (string | false | undefined)[]): string =>
  sentences.filter(Boolean).join(' ').replace(/。 /g, '。');

/** What stands between a sentence and the next: nothing after a full-width stop. */
export const gapAfter = (sentence: string): string => (sentence.endsWith('。') ? '' : ' ');
