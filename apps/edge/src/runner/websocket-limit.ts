import { get_request } from 'resty.core.base';
import { shutdownDescriptor, visitorDescriptor } from './native.ts';
import type { PreparedRoute } from './prepared-route.ts';

/** Concurrent websocket connections of a domain on a free plan, and their life (product design). */
const CONNECTIONS_MAX = 10;
const LIFE_SECONDS = 300;

/**
 * Counts by route and worker process. With the process in the key, what a killed worker leaves behind does not
 * count: only living workers' counts are added up.
 */
const counts = ngx.shared.cordon_websockets as SharedDict;

interface OpenWebsocket {
  readonly key: string;
  readonly descriptor: number | undefined;
}

/** Open websockets of this worker by request id; what ends a request takes it out before its descriptor is closed. */
const open = new LuaTable<string, OpenWebsocket>();

/** Notes which process a worker is now. */
export function registerWorker(this: void): void {
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

export function hasRoomForWebsocket(route: PreparedRoute): boolean {
  return openConnections(route.id) < CONNECTIONS_MAX;
}

/** Counts a websocket of a free plan; it must go on where `endWebsocket` sees its end. */
export function openWebsocket(route: PreparedRoute): void {
  const requestId = ngx.var.cordon_request_id ?? '';
  const key = `${ngx.worker.pid()} ${route.id}`;
  const request = get_request();
  const descriptor = request === undefined ? undefined : visitorDescriptor(request);
  counts.incr(key, 1, 0);
  open.set(requestId, { key, descriptor });
  ngx.timer.at(LIFE_SECONDS, endOfLife, requestId);
}

/** In `log_by_lua` of every place where such a request can end. */
export function endWebsocket(): void {
  const requestId = ngx.var.cordon_request_id ?? '';
  const websocket = open.get(requestId) as OpenWebsocket | undefined;
  if (websocket === undefined) return;
  open.delete(requestId);
  counts.incr(websocket.key, -1);
}
