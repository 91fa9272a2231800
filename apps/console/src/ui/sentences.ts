/** What stands between a sentence and the next: nothing after a full-width mark. */
export const gapAfter = (sentence: string): string => (/[。！？；：，]$/.test(sentence) ? '' : ' ');

/** Sentences after each other, as their language writes them. */
export const joinSentences = (sentences: readonly (string | false | undefined)[]): string =>
  sentences.reduce<string>((all, one) => (one ? all + (all && gapAfter(all)) + one : all), '');
