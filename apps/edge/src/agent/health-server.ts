import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Gauge, Registry } from 'prom-client';

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
  const gauges = new Map(
    Object.entries(HELP).map(([name, help]) => [
      name,
      new Gauge({ name: `cordon_edge_${name}`, help, registers: [registry] }),
    ]),
  );
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
      for (const [name, value] of Object.entries(source.figures())) gauges.get(name)?.set(value);
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
