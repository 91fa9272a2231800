import { matchAddressSet } from '@cordon/contract/address-set';
import type { Address } from '@cordon/plugin-kit/edge';
import { raw_client_addr } from 'ngx.ssl';
import { shutdownDescriptor } from './native.ts';
import { clientKey } from './network-key.ts';
import { options } from './runner-options.ts';
import { addressOfBytes, localPort, peerOf, secondsSilent } from './socket.ts';

/**
 * Connections of visitors before there is a request. nginx ends slow ones, but knows no bound for how many one client opens:
 * where places get rare, those of which a client has too many are ended here. And TLS handshakes are counted before they cost
 * anything.
 */
const handshakes = ngx.shared.cordon_handshakes as SharedDict;
const meta = ngx.shared.cordon_meta as SharedDict;

const LOOK_SECONDS = 1;
/** From this share of its connections on a worker is crowded: each visitor may need a second one to an origin. */
const CROWDED_SHARE = 0.4;
/** So large a share of a crowded worker's connections each client may keep, and always a browser's worth. */
const CLIENT_SHARE = 1 / 32;
const CLIENT_CONNECTIONS_MIN = 32;

interface Connection {
  readonly descriptor: number;
  readonly secondsSilent: number;
}

/** A proxy speaks for many clients. */
const isTrusted = (peer: Address): boolean =>
  options.trusted.size > 0 && matchAddressSet(options.trusted, peer) !== undefined;

/** `ssl_client_hello_by_lua`: ends the handshake of a client that has begun too many within a second, before a key is used. */
export function admitHandshake(this: void): void {
  const [bytes, family] = raw_client_addr();
  if (bytes === undefined || family === 'unix') return;
  const peer = addressOfBytes(bytes);
  const count = (handshakes.incr(clientKey(peer, ''), 1, 0, 1) ?? 1) as number;
  if (count > options.limits.handshakes_per_client && !isTrusted(peer)) ngx.exit(ngx.ERROR);
}

const crowdedFrom = (): number => options.limits.connections * CROWDED_SHARE;

/** Called when the agent looks at nginx, once a second: only a request can ask how many connections there are. */
export function noteConnections(): void {
  const open = tonumber(ngx.var.connections_active ?? '') ?? 0;
  if (open >= crowdedFrom()) meta.set('crowded', 1, 3 * LOOK_SECONDS);
}

/** Connections that were ended here since nginx started. */
export const connectionsEnded = (): number => (meta.get('connections_ended') ?? 0) as number;

/** This worker's connections by client. */
function connectionsByClient(): LuaTable<string, Connection[]> {
  const clients = new LuaTable<string, Connection[]>();
  for (let descriptor = 3; descriptor < options.limits.descriptors; descriptor++) {
    const port = localPort(descriptor);
    const peer = port === options.ports.http || port === options.ports.https ? peerOf(descriptor) : undefined;
    if (peer !== undefined && !isTrusted(peer)) {
      const client = clientKey(peer, '');
      const connection = { descriptor, secondsSilent: secondsSilent(descriptor) };
      const known = clients.get(client) as Connection[] | undefined;
      if (known === undefined) clients.set(client, [connection]);
      else known.push(connection);
    }
  }
  return clients;
}

function relieve(this: void, premature: boolean): void {
  if (premature || meta.get('crowded') === undefined) return;
  const kept = Math.max(CLIENT_CONNECTIONS_MIN, Math.floor(options.limits.connections * CLIENT_SHARE));
  const clients = connectionsByClient();
  let open = 0;
  for (const [, connections] of clients) open += connections.length;
  if (open < crowdedFrom()) return;
  for (const [, connections] of clients) {
    const excess = connections.length - kept;
    if (excess > 0) {
      // What has been silent for longest is the least likely to be in use.
      connections.sort((left, right) => right.secondsSilent - left.secondsSilent);
      for (let at = 0; at < excess; at++) shutdownDescriptor((connections[at] as Connection).descriptor);
      meta.incr('connections_ended', excess, 0);
    }
  }
}

/** `init_worker_by_lua`. */
export function watchConnections(): void {
  ngx.timer.every(LOOK_SECONDS, relieve);
}
