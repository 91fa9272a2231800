/**
 * What a search looks for: an address or a name as it was pasted, without the rest of its URL (with a scheme or without one),
 * the port of a site, and the last dot. Other ports are those of origins; what follows an address may be its mask.
 */
export function searchedText(typed: string): string {
  const text = typed.trim();
  const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@\s]*@)?([^/?#\s]+)/i.exec(text)?.[1];
  const host = /^([^\s/?#]*[^\s/?#.]\.[^\s/?#.][^\s/?#]*)[/?#](?!\d{1,3}$)\S*$/.exec(text)?.[1];
  return (url ?? host ?? text)
    .replace(/^([^:]+|\[.*\]):(?:80|443)$/, '$1')
    .replace(/(?<=[^.\s])\.$/, '')
    .toLowerCase();
}
