/**
 * What a search looks for: an address or a name as it was pasted, without the rest of its URL and the last dot. Of a CNAME
 * of ours its own label, which is all of it that the texts have.
 */
export function searchedText(typed: string, edgeDomain: string): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\/([^/?#\s]+)/i.exec(typed.trim())?.[1];
  const text = (url ?? typed.trim()).replace(/(?<=[^.\s])\.$/, '').toLowerCase();
  return text.endsWith(`.${edgeDomain}`) ? text.slice(0, text.indexOf('.')) : text;
}
