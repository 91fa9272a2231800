import {
  type DiagnosisItem,
  formatAddress,
  type OriginError,
  type OriginHealth,
  parseAddress,
  type RouteConfig,
  type TargetHealth,
  UPSTREAM_PORTS,
} from '@cordon/contract';
import type { Db } from '../../platform/database.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { DnsResolver } from '../../platform/resolver.ts';
import * as routes from '../routes/service.ts';
import type { OriginTraffic } from '../traffic/service.ts';
import { type LeavingNode, marksOf, standingOf } from './left-out.ts';

/** Of the traffic module. Throws TRAFFIC_UNAVAILABLE while its store is away. */
export type ReadOriginTraffic = (accountId: string, routeId: string, minutes: number) => Promise<OriginTraffic[]>;

/** Of the health module: what the last look at the origins of the live version found of each; undefined while there was none. */
export type FindOriginsLook = (
  db: Db,
  route: Pick<routes.RouteRow, 'id' | 'version_live'>,
) => Promise<{ origins: readonly DiagnosisItem[]; origins_looked_at: string | null } | undefined>;

/** Of the health module: nodes as they reported last, which domains are judged by as well. */
export type ReadNodes = (db: Db) => Promise<readonly LeavingNode[]>;

export interface OriginHealthService {
  read(accountId: string, routeId: string): Promise<OriginHealth>;
}

const MINUTES = 15;

type Target = RouteConfig['upstreams']['targets'][number];

const iso = (seconds: number): string | null => (seconds > 0 ? new Date(seconds * 1000).toISOString() : null);

function errorOf(row: OriginTraffic): OriginError {
  if (row.failed_reason.startsWith('origin_tls_')) return row.failed_reason.slice('origin_'.length) as OriginError;
  return row.failed_status === 504 ? 'timeout' : 'unreachable';
}

function portsOf({ port }: Target, protocol: string): number[] {
  if (port !== null) return [port];
  if (protocol === 'http_https') return [UPSTREAM_PORTS.http, UPSTREAM_PORTS.https];
  return [UPSTREAM_PORTS[protocol as 'http' | 'https']];
}

const withPort = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** What a look found of a target, once for each protocol that it asked. */
function checksOf(target: Target, protocol: string, found: readonly DiagnosisItem[]): DiagnosisItem[] {
  const labels = portsOf(target, protocol).map((port) => withPort(target.host, port));
  return found.filter(({ label, state }) => state !== 'unknown' && labels.includes(label));
}

interface JudgedTarget {
  readonly routeId: string;
  readonly target: Target;
  readonly addresses: readonly string[];
  readonly protocol: string;
}

async function addressesOf({ host }: Target, resolver: DnsResolver): Promise<string[]> {
  const literal = parseAddress(host);
  return literal ? [formatAddress(literal)] : resolver.addresses(host).catch(() => []);
}

/** One target as one node sees it: whether it leaves it out, and how its newest requests ended. */
function judge(
  { routeId, target, addresses, protocol }: JudgedTarget,
  node: LeavingNode,
  traffic: readonly OriginTraffic[],
): TargetHealth {
  // As the edge writes them.
  const written = portsOf(target, protocol).flatMap((port) => addresses.map((address) => withPort(address, port)));
  const rows = traffic.filter((row) => row.node_id === node.id && written.includes(row.address));
  const { state: standing, marks } = standingOf(target, marksOf(routeId, node), addresses);
  const answered = rows.reduce<OriginTraffic | undefined>(
    (best, row) => (row.answered_at > (best?.answered_at ?? 0) ? row : best),
    undefined,
  );
  const failed = rows.reduce<OriginTraffic | undefined>(
    (best, row) => (row.failed_at > (best?.failed_at ?? 0) ? row : best),
    undefined,
  );
  const isFailing = failed !== undefined && failed.failed_at > (answered?.answered_at ?? 0);
  const isLeftOut = standing !== 'up';
  const met = isFailing ? 'failing' : answered ? 'up' : 'unknown';
  const since = isLeftOut ? Math.min(...marks.map((mark) => mark.since)) : isFailing ? (failed?.failing_since ?? 0) : 0;
  return {
    node: node.name,
    state: !node.is_live ? 'unknown' : isLeftOut ? standing : met,
    since: node.is_live ? iso(since) : null,
    last_error: failed ? errorOf(failed) : null,
    last_error_at: failed ? iso(failed.failed_at) : null,
    response_ms: answered ? Math.round(answered.response_ms) : null,
    last_answer_at: answered ? iso(answered.answered_at) : null,
    requests: rows.reduce((sum, row) => sum + row.requests, 0),
  };
}

export interface OriginHealthParts {
  readonly db: Db;
  readonly resolver: DnsResolver;
  readonly readTraffic: ReadOriginTraffic;
  readonly findLook: FindOriginsLook;
  readonly readNodes: ReadNodes;
}

export function createOriginHealthService({
  db,
  resolver,
  readTraffic,
  findLook,
  readNodes,
}: OriginHealthParts): OriginHealthService {
  return {
    async read(accountId, routeId) {
      const route = await routes.findRoute(db, accountId, routeId);
      if (!route) throw notFound();
      const config = route.live;
      if (config === null || config.traffic_action === 'redirect')
        return { minutes: MINUTES, is_measured: true, checked_at: null, targets: [] };
      const [allNodes, look] = await Promise.all([readNodes(db), findLook(db, route)]);
      const nodes = allNodes.filter(({ czones }) => czones.includes(route.czone));
      const traffic = await readTraffic(accountId, routeId, MINUTES).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'TRAFFIC_UNAVAILABLE') return undefined;
        throw error;
      });
      const { targets, protocol } = config.upstreams;
      const addresses = await Promise.all(targets.map((target) => addressesOf(target, resolver)));
      return {
        minutes: MINUTES,
        is_measured: traffic !== undefined,
        checked_at: look?.origins_looked_at ?? null,
        targets: targets.map((target, index) => ({
          host: target.host,
          port: target.port,
          backup: target.backup,
          checks: checksOf(target, protocol, look?.origins ?? []),
          nodes: nodes.map((node) =>
            judge({ routeId, target, addresses: addresses[index] ?? [], protocol }, node, traffic ?? []),
          ),
        })),
      };
    },
  };
}
