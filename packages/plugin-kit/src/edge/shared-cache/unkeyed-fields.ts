/**
 * Fields by which some origins answer otherwise, or refuse, and that say nothing of a GET without a body, whose answer is for all: of a body
 * (RFC 9110 8), of proxies on the way (7.6.2, 7.6.3), of a page that is fetched ahead, and of devices as old phones told them. No origin
 * gets them with a request whose answer may be stored. In lower case.
 */
export const UNKEYED_FIELDS: readonly string[] = [
  ...['content-type', 'content-encoding', 'content-language', 'content-location', 'content-disposition'],
  ...[
    'content-range',
    'via',
    'max-forwards',
    'purpose',
    'sec-purpose',
    'x-purpose',
    'x-moz',
    'x-wap-profile',
    'profile',
  ],
];
