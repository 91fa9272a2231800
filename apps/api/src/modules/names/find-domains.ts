import { type FoundDomain, parseDomainName } from '@cordon/contract';
import { answersFor, candidateNames } from '@cordon/contract/host-name';
import type { Db } from '../../platform/database.ts';
import { type FindFilter, type FoundName, findOwnNames } from './find-repository.ts';

/** A name of 127 labels has as many wildcards that may answer for it: so many names hold the event loop for no more than a few milliseconds. */
const NAMES_AT_ONCE = 50;

/** The name itself, then wildcards that answer for it. */
const candidatesOf = (name: string): string[] => (name.startsWith('*.') ? [name] : candidateNames(name));

function toFound(input: string, name: string, own: ReadonlyMap<string, FoundName>): FoundDomain {
  const hit = candidatesOf(name)
    .flatMap((candidate) => own.get(candidate) ?? [])
    .find((one) => answersFor(one.name, name, one.wildcard_levels ?? 'one'));
  if (!hit) return { input, name, found: 'not_found', error: null, route: null };
  const { name: hitName, kind, wildcard_levels: _levels, ...route } = hit;
  const found = hitName !== name ? 'wildcard' : kind === 'main' ? 'main' : 'shadow_domain';
  return { input, name, found, error: null, route };
}

interface ReadName {
  readonly input: string;
  readonly name: string | null;
  readonly error: FoundDomain['error'];
}

/** The names that were not seen yet, which are from now on. */
function readNames(inputs: readonly string[], seen: Set<string>): ReadName[] {
  const asked: ReadName[] = [];
  for (const input of inputs) {
    if (input.trim() === '') continue;
    const read = parseDomainName(input.trim().replace(/\.$/, ''));
    const key = read.ok ? read.name : input.trim();
    if (seen.has(key)) continue;
    seen.add(key);
    asked.push({ input, name: read.ok ? read.name : null, error: read.ok ? null : read.code });
  }
  return asked;
}

/** Which of the names are the account's, in the order of the names; repeated ones count once. */
export type FindDomains = (accountId: string, inputs: readonly string[], filter: FindFilter) => Promise<FoundDomains>;

export interface FoundDomains {
  readonly domains: FoundDomain[];
  readonly found: number;
  readonly not_found: number;
  readonly invalid: number;
}

/**
 * Names are looked for among the account's own only. A name that another account has is `not_found` like one that
 * no account has: asked a thousand at a time, anything else would show who our customers are. Adding a name says that it
 * is taken, because then there is something to do about it.
 */
export const createFindDomains =
  (db: Db): FindDomains =>
  async (accountId, inputs, filter) => {
    const seen = new Set<string>();
    const domains: FoundDomain[] = [];
    for (let at = 0; at < inputs.length; at += NAMES_AT_ONCE) {
      const asked = readNames(inputs.slice(at, at + NAMES_AT_ONCE), seen);
      const names = asked.flatMap(({ name }) => (name === null ? [] : candidatesOf(name)));
      const own = new Map((await findOwnNames(db, accountId, names, filter)).map((row) => [row.name, row]));
      for (const { input, name, error } of asked)
        domains.push(name === null ? { input, name, found: 'invalid', error, route: null } : toFound(input, name, own));
    }
    const count = (found: FoundDomain['found']) => domains.filter((domain) => domain.found === found).length;
    return {
      domains,
      found: count('main') + count('shadow_domain') + count('wildcard'),
      not_found: count('not_found'),
      invalid: count('invalid'),
    };
  };
