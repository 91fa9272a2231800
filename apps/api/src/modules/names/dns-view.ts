import { randomBytes } from 'node:crypto';
import { isWildcardName } from '@cordon/contract';
import type { DnsResolver } from '../../platform/resolver.ts';
import { bareName } from './name-rules.ts';

const CNAMES_MAX = 8;

/** The name to ask DNS for: a wildcard is seen by a name that is not set itself. */
export const probeName = (name: string): string =>
  isWildcardName(name) ? `cordon-${randomBytes(6).toString('hex')}.${bareName(name)}` : name;

/** What a name leads to, as one server sees it. */
export interface DnsView {
  /** The chain of CNAMEs, in order. */
  readonly cnames: string[];
  readonly addresses: string[];
}

/**
 * Asks a server for a name. An authoritative server knows its own zone only, so what lies behind the first CNAME is
 * asked of `others`. Throws when the server does not answer: that is not the same as having no record.
 */
export async function viewOf(server: DnsResolver, name: string, others: DnsResolver = server): Promise<DnsView> {
  const [first, addresses] = await Promise.all([server.cnames(name), server.addresses(name)]);
  return { cnames: await followCnames(others, first[0]), addresses };
}

/** The chain of CNAMEs of a name, in order, from the first, which is known. One that cannot be asked for ends them. */
async function followCnames(resolver: DnsResolver, first: string | undefined): Promise<string[]> {
  const chain: string[] = [];
  let next = first;
  while (next !== undefined && chain.length < CNAMES_MAX && !chain.includes(next)) {
    chain.push(next.slice(0, 255));
    next = (await resolver.cnames(next).catch(() => []))[0];
  }
  return chain;
}
