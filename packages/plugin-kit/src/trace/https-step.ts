import type { EdgeRoute } from '@cordon/contract/edge-config';
import type { TracedRequest, TraceStep } from './trace.ts';
import { traceStep } from './trace.ts';

/** Who issues certificates is answered without TLS (runner/force-https.ts). */
const ACME_PATH = '/.well-known/acme-challenge/';
/** Methods that need not be kept by who is sent elsewhere. */
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD'];

/**
 * What is done of HTTPS with a request that the edge's own checks let pass; undefined for a route that asks for nothing.
 * @param path As plugins judge by it.
 */
export function httpsStep(
  { https }: Pick<EdgeRoute, 'https'>,
  request: TracedRequest,
  host: string,
  path: string,
): TraceStep | undefined {
  if (!https) return undefined;
  const { method, scheme, isPreview, query } = request;
  if (scheme === 'https') {
    if (https.hsts === undefined) return traceStep('https', 'pass');
    const fields = [{ name: 'Strict-Transport-Security', value: https.hsts }];
    return traceStep('https', 'changes', { reason: 'response_fields', detail: 'Strict-Transport-Security', fields });
  }
  if (!https.force || isPreview || path.startsWith(ACME_PATH)) return traceStep('https', 'pass');
  return traceStep('https', 'redirect', {
    status: SAFE_METHODS.includes(method) ? 301 : 308,
    reason: 'force_https',
    location: `https://${host}${request.path}${query === '' ? '' : `?${query}`}`,
  });
}
