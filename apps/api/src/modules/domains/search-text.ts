export interface SearchedText {
  /** In lower case. */
  readonly text: string;
  /** It had a dot at its end, as of a label (`site1.`) or a whole name: there ends what is found, which may have more labels. */
  readonly endsLabel: boolean;
}

/**
 * What a search looks for: an address or a name as it was pasted, without the rest of its URL (with a scheme or without one),
 * the port of a site, and the last dot. Other ports are those of origins; what follows an address may be its mask.
 */
export function searchedText(typed: string): SearchedText {
  const trimmed = typed.trim();
  const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@\s]*@)?([^/?#\s]+)/i.exec(trimmed)?.[1];
  const host = /^([^\s/?#]*[^\s/?#.]\.[^\s/?#.][^\s/?#]*)[/?#](?!\d{1,3}$)\S*$/.exec(trimmed)?.[1];
  const dotted = (url ?? host ?? trimmed).replace(/^([^:]+|\[.*\]):(?:80|443)$/, '$1').toLowerCase();
  const text = dotted.replace(/(?<=[^.\s])\.$/, '');
  return { text, endsLabel: text !== dotted };
}
