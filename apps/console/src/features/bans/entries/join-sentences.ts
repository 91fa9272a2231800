/** Sentences as one text: Chinese has no space after a full stop. */
export const joinSentences = (sentences: readonly string[], locale: string): string =>
  sentences.join(locale.startsWith('zh') ? '' : ' ');
