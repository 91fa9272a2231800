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

/** A-labels as people read them. */
export function unicodeName(name: string): string {
  if (!name.includes('xn--')) return name;
  return name
    .split('.')
    .map((label) => (label.startsWith('xn--') ? decodePunycode(label.slice(4)) : label))
    .join('.');
}

export interface NameRules {
  /** Throws at `domain_name`: PUBLIC_SUFFIX, OWN_HOST. Syntax was the contract's to judge. */
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
    if (getPublicSuffix(bare, PRIVATE_TOO) === bare) return 'PUBLIC_SUFFIX';
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

/** RFC 3492, 6.2. Node has no decoder left that is not deprecated; a label that does not decode stays as it is. */
function decodePunycode(input: string): string {
  const BASE = 36;
  const output: number[] = [];
  const basicEnd = input.lastIndexOf('-');
  for (let index = 0; index < Math.max(basicEnd, 0); index++) output.push(input.charCodeAt(index));
  let n = 128;
  let bias = 72;
  let i = 0;
  for (let at = basicEnd > 0 ? basicEnd + 1 : 0; at < input.length; ) {
    const before = i;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const code = input.charCodeAt(at++);
      const digit = code >= 97 && code <= 122 ? code - 97 : code >= 48 && code <= 57 ? code - 22 : BASE;
      if (Number.isNaN(code) || digit >= BASE) return `xn--${input}`;
      i += digit * weight;
      const threshold = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const count = output.length + 1;
    let delta = before === 0 ? Math.floor(i / 700) : Math.floor((i - before) / 2);
    delta += Math.floor(delta / count);
    let k = 0;
    while (delta > 455) {
      delta = Math.floor(delta / 35);
      k += BASE;
    }
    bias = k + Math.floor((36 * delta) / (delta + 38));
    n += Math.floor(i / count);
    i %= count;
    if (n > 0x10ffff) return `xn--${input}`;
    output.splice(i++, 0, n);
  }
  return String.fromCodePoint(...output);
}
