import { CNAME_PROPAGATION_MINUTES, CNAME_PROPAGATION_SLOW_HOURS, type DiagnosisItem } from '@cordon/contract';
import type { Egress } from '../../platform/egress.ts';
import type { DnsResolver, DnsServer } from '../../platform/resolver.ts';
import { type Aim, type Found, judgeView } from '../health/service.ts';
import { bareName, probeName, registrableName, viewOf } from '../names/service.ts';
import type { RouteRow } from '../routes/service.ts';

export interface PropagationParts {
  readonly resolver: DnsResolver;
  readonly egress: Egress;
  readonly publicResolvers: readonly DnsServer[];
}

interface Source {
  readonly label: string;
  readonly kind: 'resolver' | 'public' | 'authoritative';
  readonly dns: DnsResolver;
}

const AUTHORITATIVE_MAX = 4;
const PUBLIC_MAX = 6;
const ZONES_MAX = 5;

/** Zones that may hold the name, from the nearest to the registrable one. */
export function zonesOf(name: string): string[] {
  const top = registrableName(name);
  const zones: string[] = [];
  for (let zone = bareName(name); zone.length >= top.length; zone = zone.slice(zone.indexOf('.') + 1)) {
    zones.push(zone);
    if (zone === top || !zone.includes('.')) break;
  }
  return zones.slice(-ZONES_MAX);
}

/** The servers of the zone that holds the name; an address of each that we may ask. */
async function authoritative(route: RouteRow, { resolver, egress }: PropagationParts): Promise<Source[]> {
  const delegations = await Promise.all(
    zonesOf(route.domain_name).map((zone) => resolver.nameServers(zone).catch(() => [])),
  );
  const names = (delegations.find((found) => found.length > 0) ?? []).toSorted().slice(0, AUTHORITATIVE_MAX);
  const sources = await Promise.all(
    names.map(async (label): Promise<Source[]> => {
      // A delegation is the customer's word: it must not lead our questions inside.
      const addresses = await egress.resolveNameServer(route.account_id, label).catch(() => []);
      const address = addresses.find((text) => !text.includes(':')) ?? addresses[0];
      return address === undefined ? [] : [{ label, kind: 'authoritative', dns: resolver.at({ address, port: 53 }) }];
    }),
  );
  return sources.flat();
}

async function sourcesOf(route: RouteRow, parts: PropagationParts): Promise<Source[]> {
  const { resolver } = parts;
  const own: Source[] =
    resolver.servers.length > 0
      ? resolver.servers.map((server) => ({ label: server.address, kind: 'resolver', dns: resolver.at(server) }))
      : [{ label: '', kind: 'resolver', dns: resolver }];
  const others = parts.publicResolvers
    .slice(0, PUBLIC_MAX)
    .map((server): Source => ({ label: server.address, kind: 'public', dns: resolver.at(server) }));
  return [...(await authoritative(route, parts)), ...own, ...others];
}

/** What several resolvers and the zone's own servers say: how far a change has spread. */
export async function checkPropagation(route: RouteRow, aim: Aim, parts: PropagationParts): Promise<Found> {
  if (route.ownership_method === 'demo') return { state: 'ok', finding: 'demo' };
  const sources = await sourcesOf(route, parts);
  const items = await Promise.all(
    sources.map(async ({ label, kind, dns }): Promise<DiagnosisItem> => {
      const judged = await viewOf(dns, probeName(route.domain_name), parts.resolver).then(
        (view) => judgeView(view, aim),
        () => ({ state: 'unknown' as const, finding: 'no_answer' as const, params: {} }),
      );
      return { label, kind, ...judged };
    }),
  );
  const answered = items.filter((item) => item.finding !== 'no_answer');
  const here = answered.filter((item) => item.finding === 'points_here');
  const params = {
    here: here.length,
    answered: answered.length,
    asked: items.length,
    minimum: CNAME_PROPAGATION_MINUTES.minimum,
    maximum: CNAME_PROPAGATION_MINUTES.maximum,
    hours: CNAME_PROPAGATION_SLOW_HOURS,
  };
  if (answered.length === 0) return { state: 'unknown', finding: 'no_answer', params, advice: 'retry', items };
  if (here.length === answered.length) return { state: 'ok', finding: 'everywhere', params, items };
  const finding = here.length > 0 ? 'partly' : 'nowhere';
  return { state: 'warning', finding, params, advice: 'wait_for_dns', items };
}
