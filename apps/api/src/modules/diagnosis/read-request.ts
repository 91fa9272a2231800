import { formatAddress, parseAddress, type tracedRequest } from '@cordon/contract';
import { readTarget, type TracedRequest } from '@cordon/plugin-kit/trace';
import type { z } from 'zod';
import { fieldErrors } from '../../platform/errors.ts';

export type TraceInput = z.output<typeof tracedRequest>;

/** Controls and spaces. */
const isUnsendable = (text: string) => [...text].some((letter) => letter <= ' ' || letter === '\u007f');

/**
 * The request as the edge would see it: nothing is decoded, resolved or mended. Which country and autonomous system the address belongs
 * to is left to the caller. Throws at `url` and `client_address`.
 */
export function readRequest(
  input: TraceInput,
  domainHost: string,
  askedFrom: string,
): Omit<TracedRequest, 'asn' | 'country'> {
  const { scheme = 'https', authority, path, query, hasFragment } = readTarget(input.url);
  const isRelative = authority === undefined;
  if (isUnsendable(input.url) || !/^https?$/.test(scheme) || (isRelative && !path.startsWith('/')))
    throw fieldErrors({ url: 'URL_INVALID' });
  if (authority?.includes('@')) throw fieldErrors({ url: 'URL_CREDENTIALS' });
  if (authority === '') throw fieldErrors({ url: 'URL_INVALID' });
  const client = parseAddress(input.client_address ?? askedFrom);
  if (!client) throw fieldErrors({ client_address: 'ADDRESS_INVALID' });
  const firstHost = input.headers.find(({ name }) => name.toLowerCase() === 'host');
  return {
    method: input.method,
    scheme: scheme === 'http' ? 'http' : 'https',
    host: firstHost?.value ?? authority ?? domainHost,
    path: path === '' ? '/' : path,
    query,
    hasFragment,
    headers: input.headers.filter((field) => field !== firstHost),
    clientAddress: formatAddress(client),
    crawler: input.crawler,
    isPreview: input.preview,
  };
}
