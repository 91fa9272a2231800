/** Texts for nginx, with one character for each byte. */
export const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');

/** Bytes of a path that is percent-encoded. */
export const decodedPath = (path: string): string =>
  bytesOf(path).replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
