import type { EdgeRoute } from '@cordon/contract/edge-config';
import { isAcmeChallenge, mayBecomeGet } from '../edge/force-https.ts';
import type { TracedRequest, TraceStep } from './trace.ts';
import { traceStep } from './trace.ts';

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
  if (!https.force || isPreview || isAcmeChallenge(path)) return traceStep('https', 'pass');
  return traceStep('https', 'redirect', {
    status: mayBecomeGet(method) ? 301 : 308,
    reason: 'force_https',
    location: `https://${host}${request.path}${query === '' ? '' : `?${query}`}`,
  });
}
