/** The largest number that nginx reads. */
const LARGEST = '9223372036854775807';

function isTooLarge(digits: string): boolean {
  const [significant = ''] = string.match(digits, '^0*(.*)$');
  return significant.length > LARGEST.length || (significant.length === LARGEST.length && significant > LARGEST);
}

/**
 * Whether nginx 1.22 refuses `Range` with 416 of an answer with so many bytes that it has just fetched, as `ngx_http_range_parse` judges with
 * `single_range` (RFC 9110 14.2): where nothing that is named lies within, and where a part is none. Two parts that lie within, and any of an
 * empty object, have it leave the field alone. As long as the field is, that is all it takes: what it is read by never looks back.
 */
export function isRangeRefused(range: string, length: number): boolean {
  if (range.length < 7 || string.lower(string.sub(range, 1, 6)) !== 'bytes=') return false;
  let at = 7;
  let isSomeWithin = false;
  for (;;) {
    // All of it may be missing, so that it matches at once or as nothing.
    const [, partEnd, first, dash, blanks, last] = string.find(range, '^ *(%d*) *(%-?)( *)(%d*) *', at);
    const isSuffix = first === '';
    if (dash === '' || (isSuffix && (blanks !== '' || last === ''))) return true;
    if (isTooLarge(first as string) || isTooLarge(last as string)) return true;
    at = (partEnd ?? 0) + 1;
    const end = string.sub(range, at, at);
    if (end !== '' && end !== ',') return true;
    const start = isSuffix ? Math.max(length - (tonumber(last) ?? 0), 0) : (tonumber(first) ?? 0);
    const behind = isSuffix || last === '' ? length : Math.min((tonumber(last) ?? 0) + 1, length);
    if (start < behind) {
      if (isSomeWithin) return false;
      isSomeWithin = true;
    } else if (start === 0) return false;
    if (end === '') return !isSomeWithin;
    at++;
  }
}
