import { get_request } from 'resty.core.base';
import { shutdownDescriptor, visitorDescriptor } from './native.ts';
import type { RunnerBrand } from './payload.ts';
import type { PreparedRoute } from './prepared-route.ts';
import { refuse } from './refusal.ts';

/** Concurrent websocket connections of a domain on a free plan, and their life (product design). */
const CONNECTIONS_MAX = 10;
const LIFE_SECONDS = 300;

/**
 * Counts by route and worker process. With the process in the key, what a killed worker leaves behind counts for
 * nobody: only living workers' counts are added up.
 */
const counts = ngx.shared.cordon_websockets as SharedDict;

interface OpenWebsocket {
  readonly key: string;
  readonly descriptor: number | undefined;
}

/** Open websockets of this worker by request id; what ends a request takes it out before its descriptor is closed. */
const open = new LuaTable<string, OpenWebsocket>();

/** Notes which process a worker is now. */
export function registerWorker(): void {
  counts.set(`worker ${ngx.worker.id()}`, ngx.worker.pid());
}

function openConnections(routeId: string): number {
  let sum = 0;
  for (let worker = 0; worker < ngx.worker.count(); worker++) {
    const pid = counts.get(`worker ${worker}`);
    if (pid !== undefined) sum += (counts.get(`${pid} ${routeId}`) ?? 0) as number;
  }
  return sum;
}

function endOfLife(this: void, premature: boolean, requestId: string): void {
  if (premature) return;
  const websocket = open.get(requestId) as OpenWebsocket | undefined;
  if (websocket?.descriptor !== undefined) shutdownDescriptor(websocket.descriptor);
}

/** Lets a websocket of a free plan go on, where its end is seen, or refuses it. */
export function handOverWebsocket(route: PreparedRoute, brand: RunnerBrand | undefined): void {
  if (openConnections(route.id) >= CONNECTIONS_MAX) {
    refuse('websocket_limit', 503, 'websocket_limit', brand);
    return;
  }
  const requestId = ngx.var.request_id ?? '';
  const key = `${ngx.worker.pid()} ${route.id}`;
  const request = get_request();
  const descriptor = request === undefined ? undefined : visitorDescriptor(request);
  counts.incr(key, 1, 0);
  open.set(requestId, { key, descriptor });
  ngx.timer.at(LIFE_SECONDS, endOfLife, requestId);
  ngx.exec('@websocket');
}

/** `log_by_lua` of every place where such a request can end. */
export function endWebsocket(this: void): void {
  const requestId = ngx.var.request_id ?? '';
  const websocket = open.get(requestId) as OpenWebsocket | undefined;
  if (websocket === undefined) return;
  open.delete(requestId);
  counts.incr(websocket.key, -1);
}
