/** What becomes of requests without TLS for domains that are to be met over HTTPS only; of the edge and of the trace. */

const ACME_PATH = '/.well-known/acme-challenge/';

/** Who issues certificates begins without TLS (RFC 8555 8.3), and is answered there. */
export function isAcmeChallenge(this: void, path: string): boolean {
  return path.startsWith(ACME_PATH);
}

/** Whether the request that follows a redirect may be a GET; other methods keep their bodies (RFC 9110 15.4.9). */
export function mayBecomeGet(this: void, method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
