/** The text of a body, read whole. Throws for one of more than `bytesMax`, of which the rest is not read. */
export async function boundedText(body: AsyncIterable<Uint8Array> | null, bytesMax: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > bytesMax) throw new Error(`an answer of more than ${bytesMax} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
