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
import { type NodeTargets, nodesOfRoute } from './health-repository.ts';

/** Of the traffic module. Throws TRAFFIC_UNAVAILABLE while its store is away. */
export type ReadOriginTraffic = (accountId: string, routeId: string, minutes: number) => Promise<OriginTraffic[]>;

/** Of the health module: what the last look at the origins of the live version found of each; undefined while there was none. */
export type FindOriginsLook = (
  db: Db,
  route: Pick<routes.RouteRow, 'id' | 'version_live'>,
) => Promise<{ origins: readonly DiagnosisItem[]; origins_looked_at: string | null } | undefined>;

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

/** `address:port` as the edge writes it, for every address and port of a target. */
async function addressesOf(target: Target, protocol: string, resolver: DnsResolver): Promise<Set<string>> {
  const literal = parseAddress(target.host);
  const found = literal ? [formatAddress(literal)] : await resolver.addresses(target.host).catch(() => []);
  const ports = portsOf(target, protocol);
  return new Set(found.flatMap((address) => ports.map((port) => withPort(address, port))));
}

/** One target as one node sees it: what the node left out, and how its newest requests ended. */
function judge(node: NodeTargets, addresses: ReadonlySet<string>, traffic: readonly OriginTraffic[]): TargetHealth {
  const rows = traffic.filter((row) => row.node_id === node.id && addresses.has(row.address));
  const marked = node.down.filter(({ target }) => addresses.has(target));
  const answered = rows.reduce<OriginTraffic | undefined>(
    (best, row) => (row.answered_at > (best?.answered_at ?? 0) ? row : best),
    undefined,
  );
  const failed = rows.reduce<OriginTraffic | undefined>(
    (best, row) => (row.failed_at > (best?.failed_at ?? 0) ? row : best),
    undefined,
  );
  const isFailing = failed !== undefined && failed.failed_at > (answered?.answered_at ?? 0);
  const isDown = marked.length > 0 || isFailing;
  const since = [...marked.map((mark) => mark.since), ...(isFailing && failed ? [failed.failing_since] : [])];
  return {
    node: node.name,
    state: !node.is_live ? 'unknown' : isDown ? 'down' : answered ? 'up' : 'unknown',
    since: node.is_live && isDown ? iso(Math.min(...since)) : null,
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
}

export function createOriginHealthService({
  db,
  resolver,
  readTraffic,
  findLook,
}: OriginHealthParts): OriginHealthService {
  return {
    async read(accountId, routeId) {
      const route = await routes.findRoute(db, accountId, routeId);
      if (!route) throw notFound();
      const config = route.live;
      if (config === null || config.traffic_action === 'redirect')
        return { minutes: MINUTES, is_measured: true, checked_at: null, targets: [] };
      const [nodes, look] = await Promise.all([nodesOfRoute(db, route.id, route.czone), findLook(db, route)]);
      const traffic = await readTraffic(accountId, routeId, MINUTES).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'TRAFFIC_UNAVAILABLE') return undefined;
        throw error;
      });
      const { targets, protocol } = config.upstreams;
      const addresses = await Promise.all(targets.map((target) => addressesOf(target, protocol, resolver)));
      return {
        minutes: MINUTES,
        is_measured: traffic !== undefined,
        checked_at: look?.origins_looked_at ?? null,
        targets: targets.map((target, index) => ({
          host: target.host,
          port: target.port,
          backup: target.backup,
          checks: checksOf(target, protocol, look?.origins ?? []),
          nodes: nodes.map((node) => judge(node, addresses[index] ?? new Set(), traffic ?? [])),
        })),
      };
    },
  };
}
