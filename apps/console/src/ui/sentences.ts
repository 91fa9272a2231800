/** Sentences after each other, as their language writes them. */
export const joinSentences = (sentences: readonly (string | false | undefined)[]): string =>
  sentences.filter(Boolean).join(' ').replace(/。 /g, '。');
