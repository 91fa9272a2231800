/**
 * What a search looks for: an address or a name as it was pasted, without the rest of its URL, the port of a site, and the
 * last dot. Other ports are those of origins.
 */
export function searchedText(typed: string): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\/([^/?#\s]+)/i.exec(typed.trim())?.[1];
  return (url ?? typed.trim())
    .replace(/^([^:]+|\[.*\]):(?:80|443)$/, '$1')
    .replace(/(?<=[^.\s])\.$/, '')
    .toLowerCase();
}
