/** What the address of the page asks for before anything else. */
export type UrlMarker = { kind: 'error' } | { kind: 'state'; hash: string } | null;

/* Inside the hash some providers append their answer with `&` and no `?`. */
const ERROR_MARKER = /[?&#]error=/;
const STATE_MARKER = /[?&#]state=/;

/**
 * Reads the markers that sign-in leaves in an address: an error marker in the query of the page or inside the hash
 * sends the browser to the site's origin; a state marker in either cuts the path there (specification, section 2).
 */
export function readUrlMarker(search: string, hash: string): UrlMarker {
  if (ERROR_MARKER.test(search) || ERROR_MARKER.test(hash)) return { kind: 'error' };
  const at = hash.search(STATE_MARKER);
  if (at >= 0) return { kind: 'state', hash: hash.slice(0, at) };
  return STATE_MARKER.test(search) ? { kind: 'state', hash } : null;
}
