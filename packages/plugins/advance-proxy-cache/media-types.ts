/** What the words stand for that the specification has (section 3); all others are media types or families as they are. */
const TYPES_OF_WORD: Readonly<Record<string, readonly string[] | undefined>> = {
  css: ['text/css'],
  javascript: ['text/javascript', 'application/javascript', 'application/x-javascript'],
};

/** The media types and families that entries of `content_type` stand for. */
export function mediaTypesOf(entries: readonly string[]): readonly string[] {
  const types: string[] = [];
  for (const entry of entries) {
    const ofWord = TYPES_OF_WORD[entry];
    if (ofWord === undefined) types.push(entry);
    else for (const type of ofWord) types.push(type);
  }
  return types;
}
