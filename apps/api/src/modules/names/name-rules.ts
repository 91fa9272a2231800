import { type FieldErrorCode, isWildcardName } from '@cordon/contract';
import { getDomain, getPublicSuffix } from 'tldts';
import { fieldErrors } from '../../platform/errors.ts';

const PRIVATE_TOO = { allowPrivateDomains: true, validateHostname: false } as const;

/** The name without `*.`. */
export const bareName = (name: string): string => (isWildcardName(name) ? name.slice(2) : name);

/** The part that was registered: `example.co.uk` of `www.example.co.uk`. */
export const registrableName = (name: string): string => getDomain(bareName(name), PRIVATE_TOO) ?? bareName(name);

/** Whether the name stands directly at a registrable domain, where DNS allows no CNAME beside the zone's own records. */
export const isApex = (name: string): boolean => !isWildcardName(name) && registrableName(name) === name;

export interface NameRules {
  /** Throws at `domain_name`: PUBLIC_SUFFIX, WILDCARD_OF_PUBLIC_SUFFIX, OWN_HOST. Syntax was the contract's to judge. */
  checkName(name: string): void;
  /** Why a name may not be used by any account; undefined when it may. */
  faultOf(name: string): FieldErrorCode | undefined;
  /** Whether a host is the console's or below the edge domain. */
  isOwnHost(host: string): boolean;
}

export function createNameRules(own: { hostnames: ReadonlySet<string>; edgeDomain: string }): NameRules {
  const isBelow = (name: string, parent: string) => name === parent || name.endsWith(`.${parent}`);
  const isOwnHost = (host: string) => own.hostnames.has(host) || isBelow(host, own.edgeDomain);
  function faultOf(name: string): FieldErrorCode | undefined {
    const bare = bareName(name);
    if (getPublicSuffix(bare, PRIVATE_TOO) === bare)
      return isWildcardName(name) ? 'WILDCARD_OF_PUBLIC_SUFFIX' : 'PUBLIC_SUFFIX';
    const covers = isWildcardName(name) && [...own.hostnames, own.edgeDomain].some((host) => isBelow(host, bare));
    return covers || isOwnHost(bare) ? 'OWN_HOST' : undefined;
  }
  return {
    isOwnHost,
    faultOf,
    checkName(name) {
      const fault = faultOf(name);
      if (fault !== undefined) throw fieldErrors({ domain_name: fault });
    },
  };
}
