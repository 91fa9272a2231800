import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Counter, Gauge, Registry } from 'prom-client';

/** A part of the node and how it is; `isRequired`: without it the node is not ready. */
export interface PartState {
  readonly name: string;
  readonly isReady: boolean;
  readonly isRequired: boolean;
  readonly detail: string;
}

export interface HealthSource {
  parts(): readonly PartState[];
  figures(): Readonly<Record<string, number>>;
  /** Figures with a series for each value of their label. */
  series(): Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const HELP: Readonly<Record<string, string>> = {
  routes: 'Routes that this node serves',
  routes_failed: 'Routes that did not fit into the memory of nginx',
  nginx_starts: 'How often nginx was started',
  nginx_hung: 'Processes of nginx that were ended because they hung',
  connections_ended: 'Connections ended on a crowded nginx because their clients had too many or kept silent',
  control_connected: '1 while the stream of the control plane is open',
  targets_down: 'Upstream addresses left out now',
  log_backlog_bytes: 'Access log on disk that the control plane has not taken',
  log_rows_shipped: 'Rows of the access log that were taken',
  log_rows_dropped: 'Rows of the access log that were given up, cut off or never written',
  log_lines_invalid: 'Lines of the access log that were cut off by a crash',
  feed_entries: 'Addresses and ranges of feeds, such as banned ones',
  feed_entries_failed: 'Changes of feeds that found no room in the memory of nginx',
  feeds_full: '1 while the memory for feeds has room for bans of this node only',
  feeds_memory_free_bytes: 'Free pages of the memory for feeds',
  clears_widened: 'Times that more was cleared of the cache than was asked for, for want of memory',
  clears_waiting: 'Clears of the cache that nginx has not carried out',
  prefetches_running: 'Prefetches that are not over',
  bans_waiting: 'Bans of this node that the control plane has not taken',
  bans_own: 'Bans of this node that are not in the feed of the control plane',
  routes_memory_free_bytes: 'Free pages of the memory for routes',
  cache_disk_bytes: 'Size of the file system that the cache is on',
  cache_disk_free_bytes: 'Bytes of it that are free',
  cache_changes_forgotten_total:
    'Times that all that is stored of a domain has to be validated, because visitors had changed too many of its URLs',
  shield_requests_total: 'Fetches for which a shield was asked',
  shield_failures_total: 'Of these, those for which it could not be reached, or broke off',
  shield_refusals_total: 'Of these, those for which it had this node ask the origin',
};

interface SeriesHelp {
  readonly label: string;
  readonly help: string;
}

const SERIES: Readonly<Record<string, SeriesHelp>> = {
  cache_requests_total: { label: 'outcome', help: 'Requests by what the cache had to do with them' },
  cache_sent_bytes_total: { label: 'outcome', help: 'Bytes sent to visitors by what the cache had to do with it' },
  cache_unstored_total: { label: 'reason', help: 'Answers of origins that the cache did not store' },
  dictionary_bytes: { label: 'dictionary', help: 'Shared memory of nginx' },
  dictionary_free_bytes: { label: 'dictionary', help: 'Free pages of it' },
};

const FORWARDING = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];
const LOOPBACK_HOST = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;
const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** Whether the request comes from this machine itself, or has the token; a page or a proxy on it speaks for others. */
function mayReadAll({ headers }: IncomingMessage, token: string): boolean {
  const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  if (token !== '' && bearer !== undefined && timingSafeEqual(sha256(bearer), sha256(token))) return true;
  return LOOPBACK_HOST.test(headers.host ?? '') && FORWARDING.every((name) => headers[name] === undefined);
}

/**
 * `/healthz`, `/readyz` and `/metrics` on loopback.
 * @param token With it others than this machine may read parts and metrics; empty: there is none.
 */
export function serveHealth(port: number, source: HealthSource, token: string): Promise<Server> {
  const registry = new Registry();
  const metrics = new Map(
    [
      ...Object.entries(HELP).map(([name, help]) => ({ name, help, labelNames: [] })),
      ...Object.entries(SERIES).map(([name, { help, label }]) => ({ name, help, labelNames: [label] })),
    ].map(({ name, help, labelNames }) => {
      const options = { name: `cordon_edge_${name}`, help, labelNames, registers: [registry] };
      return [name, name.endsWith('_total') ? new Counter(options) : new Gauge(options)];
    }),
  );
  const readFigures = () => {
    registry.resetMetrics();
    for (const [name, value] of Object.entries(source.figures())) metrics.get(name)?.inc(value);
    for (const [name, values] of Object.entries(source.series())) {
      const label = SERIES[name]?.label ?? '';
      for (const [key, value] of Object.entries(values)) metrics.get(name)?.inc({ [label]: key }, value);
    }
  };
  const server = createServer((request, response) => {
    const send = (status: number, type: string, body: string) => {
      response.writeHead(status, { 'content-type': type });
      response.end(body);
    };
    if (request.url === '/healthz') return send(200, 'application/json', '{"ok":true}\n');
    if (request.url === '/readyz') {
      const parts = source.parts();
      const isReady = parts.every((part) => part.isReady || !part.isRequired);
      const shown = mayReadAll(request, token) ? { ready: isReady, parts } : { ready: isReady };
      return send(isReady ? 200 : 503, 'application/json', `${JSON.stringify(shown)}\n`);
    }
    if (request.url === '/metrics') {
      if (!mayReadAll(request, token)) return send(401, 'application/json', '{}\n');
      readFigures();
      void registry.metrics().then((text) => send(200, registry.contentType, text));
      return undefined;
    }
    return send(404, 'application/json', '{}\n');
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
