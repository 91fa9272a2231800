/** What a shared cache compresses that its origin has sent as it is: texts of some length. */

/** Shorter ones fit into one packet as they are. */
export const COMPRESSED_BYTES_MIN = 1400;

/** Media types; those of images, fonts, sound, films and archives are compressed by themselves. */
export const COMPRESSED_TYPES: readonly string[] = [
  ...[
    'text/html',
    'text/plain',
    'text/css',
    'text/xml',
    'text/javascript',
    'text/csv',
    'text/markdown',
    'text/calendar',
  ],
  ...['text/vtt', 'text/x-component', 'application/javascript', 'application/x-javascript', 'application/json'],
  ...['application/ld+json', 'application/manifest+json', 'application/geo+json', 'application/vnd.api+json'],
  ...[
    'application/problem+json',
    'application/xml',
    'application/xhtml+xml',
    'application/rss+xml',
    'application/atom+xml',
  ],
  ...[
    'application/wasm',
    'application/vnd.ms-fontobject',
    'application/x-font-ttf',
    'font/ttf',
    'font/otf',
    'font/eot',
  ],
  ...['image/svg+xml', 'image/x-icon', 'image/bmp', 'application/x-web-app-manifest+json'],
];

/** Fields that hold of the very bytes that the origin has sent (RFC 9530, and Digest and Content-MD5 before it): what has one is left as it is. */
export const DIGEST_FIELDS: readonly string[] = ['content-digest', 'repr-digest', 'digest', 'content-md5'];

/** Of a Content-Type, the type alone, in lower case. */
function typeOf(contentType: string): string {
  const end = contentType.indexOf(';');
  return (end < 0 ? contentType : contentType.substring(0, end)).trim().toLowerCase();
}

/** Whether an answer is compressed for clients that take it: its visitors get it in several forms then (`Vary: Accept-Encoding`). */
export function isCompressible(
  this: void,
  status: number,
  contentType: string,
  contentEncoding: string,
  contentLength: number | undefined,
  mustStay: boolean,
): boolean {
  if (status !== 200 && status !== 403 && status !== 404) return false;
  if (contentEncoding !== '' || mustStay) return false;
  if (contentLength !== undefined && contentLength < COMPRESSED_BYTES_MIN) return false;
  return COMPRESSED_TYPES.includes(typeOf(contentType));
}
