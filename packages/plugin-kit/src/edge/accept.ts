/** More than any browser sends. A longer field says nothing, and entries and parameters behind these are not looked at. */
const FIELD_BYTES_MAX = 1000;
const ENTRIES_MAX = 50;
const PARAMETERS_MAX = 5;

/** Quality (RFC 9110 12.4.2) that a field gives to the first of `names` it lists; -1 when it lists none. */
export function qualityOf(field: string, names: readonly string[]): number {
  let best = -1;
  if (field.length > FIELD_BYTES_MAX) return best;
  for (const entry of field.split(',', ENTRIES_MAX)) {
    const parts = entry.split(';', PARAMETERS_MAX + 1);
    const name = (parts[0] as string).trim().toLowerCase();
    if (names.includes(name)) {
      let quality = 1;
      for (let at = 1; at < parts.length; at++) {
        const parameter = (parts[at] as string).trim().toLowerCase();
        if (parameter.startsWith('q=')) quality = Number(parameter.substring(2));
      }
      // NaN, from a q that is no number, is above nothing.
      if (quality > best) best = quality;
    }
  }
  return best;
}

/** Whether an `Accept` would rather have JSON than HTML. */
export function prefersJson(field: string | undefined): boolean {
  if (field === undefined) return false;
  const html = qualityOf(field, ['text/html', 'application/xhtml+xml', 'text/*']);
  const json = qualityOf(field, ['application/json', 'application/problem+json', 'application/*']);
  // With 0 it is excluded.
  return json > 0 && json > html;
}
