/**
 * Lines of a body, without their ends, and what follows the last one, if anything. Throws for one of more than `charactersMax`, which
 * would have to be kept whole.
 */
export async function* textLines(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  charactersMax: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun = '';
  for await (const piece of body) {
    const [rest = '', ...further] = decoder.decode(piece, { stream: true }).split('\n');
    begun += rest;
    for (const line of further) {
      yield begun;
      begun = line;
    }
    if (begun.length > charactersMax) throw new Error(`a line of more than ${charactersMax} characters`);
  }
  if (begun !== '') yield begun;
}
