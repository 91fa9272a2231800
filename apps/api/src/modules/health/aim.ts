import type { Ownership } from '@cordon/contract';
import { type Destination, type DnsView, isIpv6, pointRecords } from '../names/service.ts';

/** Where a route's names must lead. */
export interface Aim extends Destination {
  readonly cname: string;
}

export const pointsByName = (view: DnsView, aim: Aim): boolean => view.cnames.includes(aim.cname);

export const pointsHere = (view: DnsView, aim: Aim): boolean =>
  pointsByName(view, aim) ||
  (view.addresses.length > 0 && view.addresses.every((address) => aim.czoneAddresses.includes(address)));

export const seenOf = (view: DnsView): string[] => [...view.cnames, ...view.addresses];

/** The A or AAAA record that an apex still lacks: without both, visitors of one address family do not reach us. */
export function lackingRecord(name: string, view: DnsView, aim: Aim): Ownership['record'] | undefined {
  const { record, record_ipv6 } = pointRecords({ domain_name: name, cname: aim.cname }, aim);
  return (
    [record, record_ipv6].find((wanted) => {
      if (wanted === null || wanted.type === 'CNAME') return false;
      const seen = view.addresses.filter((address) => isIpv6(address) === (wanted.type === 'AAAA'));
      return seen.length === 0 || !seen.every((address) => aim.czoneAddresses.includes(address));
    }) ?? undefined
  );
}
