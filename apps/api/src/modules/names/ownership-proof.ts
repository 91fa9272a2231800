import { createHmac } from 'node:crypto';
import type { Ownership } from '@cordon/contract';
import type { DnsResolver } from '../../platform/resolver.ts';
import { equalSecrets } from '../../platform/secrets.ts';
import { probeName, viewOf } from './dns-view.ts';
import { bareName, isApex } from './name-rules.ts';

/** What a look at DNS found. */
export interface OwnershipFinding {
  readonly method: 'cname' | 'address_and_txt' | null;
  readonly hasTxtProof: boolean;
  /** What the name leads to, for the customer's eyes; null: DNS did not answer, which is not the same as no record. */
  readonly seen: string[] | null;
}

export interface OwnershipProof {
  /** The TXT record by which an account proves that it controls a name; the same before and after the name is added. */
  txtRecord(accountId: string, name: string): { name: string; value: string };
  /** Whether the record is there. */
  hasTxtProof(accountId: string, name: string): Promise<boolean>;
  /** Looks at DNS now. `czoneAddresses` are where an apex may point; with `needsProof` a CNAME alone is not enough. */
  look(
    route: { account_id: string; domain_name: string; cname: string },
    czoneAddresses: readonly string[],
    needsProof: boolean,
  ): Promise<OwnershipFinding>;
}

const SEEN_MAX = 20;
const CHALLENGE_LABEL = '_cordon-challenge';

export function createOwnershipProof(key: Buffer, resolver: DnsResolver): OwnershipProof {
  function txtRecord(accountId: string, name: string) {
    const bare = bareName(name);
    const value = createHmac('sha256', key).update(`${accountId} ${bare}`).digest('base64url');
    return { name: `${CHALLENGE_LABEL}.${bare}`, value: `cordon-verify=${value}` };
  }

  async function hasTxtProof(accountId: string, name: string): Promise<boolean> {
    const record = txtRecord(accountId, name);
    const texts = await resolver.texts(record.name).catch(() => []);
    return texts.some((text) => equalSecrets(text.trim(), record.value));
  }

  return {
    txtRecord,
    hasTxtProof,
    async look(route, czoneAddresses, needsProof) {
      const [view, proof] = await Promise.all([
        viewOf(resolver, probeName(route.domain_name)).catch(() => null),
        hasTxtProof(route.account_id, route.domain_name),
      ]);
      if (view === null) return { method: null, hasTxtProof: proof, seen: null };
      const { cnames, addresses } = view;
      const seen = [...cnames, ...addresses].slice(0, SEEN_MAX);
      const pointsByName = cnames.includes(route.cname);
      const pointsByAddress = addresses.length > 0 && addresses.every((address) => czoneAddresses.includes(address));
      const method =
        pointsByName && (!needsProof || proof)
          ? 'cname'
          : (pointsByAddress || pointsByName) && proof
            ? 'address_and_txt'
            : null;
      return { method, hasTxtProof: proof, seen };
    },
  };
}

/** Where a czone's names lead. */
export interface Destination {
  readonly czoneAddresses: readonly string[];
  /** Whether the subscription's names answer AAAA. */
  readonly ipv6: boolean;
}

export const isIpv6 = (address: string): boolean => address.includes(':');

/** The records to set: an apex cannot have a CNAME, so it takes the czone's addresses, those of IPv6 where that is on. */
export function pointRecords(
  route: { domain_name: string; cname: string },
  { czoneAddresses, ipv6 }: Destination,
): Pick<Ownership, 'record' | 'record_ipv6'> {
  const name = route.domain_name;
  if (!isApex(name) || czoneAddresses.length === 0)
    return { record: { type: 'CNAME', name, value: [route.cname] }, record_ipv6: null };
  const a = { type: 'A' as const, name, value: czoneAddresses.filter((address) => !isIpv6(address)) };
  const aaaa = { type: 'AAAA' as const, name, value: czoneAddresses.filter(isIpv6) };
  if (a.value.length === 0) return { record: aaaa, record_ipv6: null };
  return { record: a, record_ipv6: ipv6 && aaaa.value.length > 0 ? aaaa : null };
}

/** What the customer sees of a name's proof, main name or shadow domain. */
export function toOwnership(
  proof: OwnershipProof,
  name: {
    account_id: string;
    domain_name: string;
    cname: string;
    ownership_state: Ownership['state'];
    ownership_method: Ownership['method'];
    ownership_checked_at: string | null;
    ownership_seen: string[] | null;
    proof_needed_until: string | null;
  },
  destination: Destination,
): Ownership {
  return {
    state: name.ownership_state,
    method: name.ownership_method,
    checked_at: name.ownership_checked_at,
    seen: name.ownership_seen,
    ...pointRecords(name, destination),
    txt: proof.txtRecord(name.account_id, name.domain_name),
    taken_elsewhere: needsTxtProof(name),
  };
}

/** Whether the name was another account's so shortly before that pointing here is not enough. */
export const needsTxtProof = (name: { proof_needed_until: string | null }, now = Date.now()): boolean =>
  name.proof_needed_until !== null && Date.parse(name.proof_needed_until) > now;
