/** Fields in lower case, with one of which a request passes by the cache: only its origin can judge it. */

/** Conditions that what is stored cannot answer (RFC 9111 4.3.2). */
export const ORIGIN_CONDITION_FIELDS = ['if-match', 'if-unmodified-since'] as const;

/** By which frameworks take another method than that of the request line. */
export const METHOD_OVERRIDE_FIELDS = [
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
  'translate',
] as const;
