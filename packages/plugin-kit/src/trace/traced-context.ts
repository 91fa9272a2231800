import { parseAddress } from '@cordon/contract/address';
import type { EdgeContext } from '../edge/context.ts';
import { createPlainContext, createPlainState } from '../edge/plain-context.ts';
import { recordedContext } from '../recorded.ts';
import type { TracedRequest, TraceParts } from './trace.ts';

/** What plugins see of a traced request; undefined where its client has no address. */
export function contextOf(
  request: TracedRequest,
  host: string,
  parts: TraceParts,
  onSignatureTaken?: () => void,
): EdgeContext | undefined {
  const clientAddress = parseAddress(request.clientAddress);
  if (!clientAddress) return undefined;
  const plain = createPlainContext(
    {
      method: request.method,
      scheme: request.scheme,
      host,
      path: request.path,
      query: request.query,
      headers: [{ name: 'Host', value: request.host }, ...request.headers],
      clientAddress,
      country: request.country,
      asn: request.asn,
      crawler: request.crawler,
      now: parts.now,
    },
    createPlainState(parts.feeds),
  );
  return recordedContext(plain, onSignatureTaken);
}
