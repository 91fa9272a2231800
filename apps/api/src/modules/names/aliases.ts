import { randomBytes } from 'node:crypto';
import { isWildcardName } from '@cordon/contract';
import type { DnsResolver } from '../../platform/resolver.ts';
import { bareName } from './name-rules.ts';

const ALIASES_MAX = 8;

/** The name to ask DNS for: a wildcard is seen by a name that is not set itself. */
export const probeName = (name: string): string =>
  isWildcardName(name) ? `cordon-${randomBytes(6).toString('hex')}.${bareName(name)}` : name;

/** Names that a name is an alias of, in order, from the first, which is known. One that cannot be asked for ends them. */
export async function followAliases(resolver: DnsResolver, first: string | undefined): Promise<string[]> {
  const aliases: string[] = [];
  let next = first;
  while (next !== undefined && aliases.length < ALIASES_MAX && !aliases.includes(next)) {
    aliases.push(next.slice(0, 255));
    next = (await resolver.cnames(next).catch(() => []))[0];
  }
  return aliases;
}
