import { matchAddressSet } from '@cordon/contract/address-set';
import type { Address } from '@cordon/plugin-kit/edge';
import { raw_client_addr } from 'ngx.ssl';
import { connectionsOpen, shutdownDescriptor } from './native.ts';
import { clientKey } from './network-key.ts';
import { recur, TICKS_PER_SECOND } from './recurring.ts';
import { options } from './runner-options.ts';
import { isPeerNode } from './shield-state.ts';
import { addressOfBytes, localPort, peerOf, secondsSilent } from './socket.ts';

/**
 * Connections of visitors before there is a request. nginx ends slow ones, but knows no bound for how many one client opens:
 * where places get rare, those of which a client has too many are ended here, and silent ones where that is not enough. And TLS handshakes are counted before they cost
 * anything.
 */
const handshakes = ngx.shared.cordon_handshakes as SharedDict;
const meta = ngx.shared.cordon_meta as SharedDict;

/** From this share of its connections on a worker is crowded: each visitor may need a second one to an origin. */
const CROWDED_SHARE = 0.4;
/** So large a share of a crowded worker's connections each client may keep, and always a browser's worth. */
const CLIENT_SHARE = 1 / 32;
const CLIENT_CONNECTIONS_MIN = 32;
/** From here on a worker is nearly full, and gets down to so much of its connections by ending silent ones of any client. */
const FULL_SHARE = 0.85;
const RELIEVED_SHARE = 0.7;
/** So long those have to be silent, until a worker is full to the brim. */
const SILENCE_SECONDS = 5;
const BRIM_SHARE = 0.95;
/** Descriptors are given from the lowest on: beside connections a worker has these few. */
const OTHER_DESCRIPTORS = 1024;

interface Connection {
  readonly descriptor: number;
  readonly secondsSilent: number;
}

/** A proxy speaks for many clients, and so does a node to its shield. */
const isTrusted = (peer: Address): boolean =>
  (options.trusted.size > 0 && matchAddressSet(options.trusted, peer) !== undefined) || isPeerNode(peer);

/** `ssl_client_hello_by_lua`: ends the handshake of a client that has begun too many within a second, before a key is used. */
export function admitHandshake(this: void): void {
  const [bytes, family] = raw_client_addr();
  if (bytes === undefined || family === 'unix') return;
  const peer = addressOfBytes(bytes);
  const count = (handshakes.incr(clientKey(peer, ''), 1, 0, 1) ?? 1) as number;
  if (count > options.limits.handshakes_per_client && !isTrusted(peer)) ngx.exit(ngx.ERROR);
}

/** Connections that were ended here since nginx started. */
export const connectionsEnded = (): number => (meta.get('connections_ended') ?? 0) as number;

/** What this worker has open: connections of visitors by client, and how many there are of all kinds. */
interface Crowd {
  readonly clients: LuaTable<string, Connection[]>;
  readonly visitors: number;
  readonly all: number;
}

function lookAround(): Crowd {
  const clients = new LuaTable<string, Connection[]>();
  let visitors = 0;
  let all = 0;
  const last = Math.min(options.limits.descriptors, options.limits.connections + OTHER_DESCRIPTORS);
  for (let descriptor = 3; descriptor < last; descriptor++) {
    const port = localPort(descriptor);
    if (port !== undefined) all++;
    const peer = port === options.ports.http || port === options.ports.https ? peerOf(descriptor) : undefined;
    if (peer !== undefined && !isTrusted(peer)) {
      visitors++;
      const client = clientKey(peer, '');
      const connection = { descriptor, secondsSilent: secondsSilent(descriptor) };
      const known = clients.get(client) as Connection[] | undefined;
      if (known === undefined) clients.set(client, [connection]);
      else known.push(connection);
    }
  }
  return { clients, visitors, all };
}

/** What has been silent for longest is the least likely to be in use. */
const sortBySilence = (connections: Connection[]): Connection[] =>
  connections.sort((left, right) => right.secondsSilent - left.secondsSilent);

/** Ends what clients have more than `kept`; answers the connections that are left. */
function endExcess({ clients }: Crowd, kept: number): Connection[] {
  const rest: Connection[] = [];
  for (const [, connections] of clients) {
    const excess = connections.length - kept;
    if (excess > 0) sortBySilence(connections);
    connections.forEach((connection, at) => {
      if (at < excess) shutdownDescriptor(connection.descriptor);
      else rest.push(connection);
    });
  }
  return rest;
}

/** Ends up to `count`, those that have been silent for longest, if for so many seconds; answers how many. */
function endSilent(connections: Connection[], count: number, seconds: number): number {
  let ended = 0;
  for (const connection of sortBySilence(connections)) {
    if (ended >= count || connection.secondsSilent < seconds) break;
    shutdownDescriptor(connection.descriptor);
    ended++;
  }
  return ended;
}

/** Ticks until the next look. */
let ticksLeft = 0;

function relieve(this: void): void {
  ticksLeft--;
  if (ticksLeft > 0) return;
  ticksLeft = TICKS_PER_SECOND;
  const most = options.limits.connections;
  if (connectionsOpen() < most * CROWDED_SHARE) return;
  const crowd = lookAround();
  if (crowd.visitors < most * CROWDED_SHARE) return;
  const rest = endExcess(crowd, Math.max(CLIENT_CONNECTIONS_MIN, Math.floor(most * CLIENT_SHARE)));
  let ended = crowd.visitors - rest.length;
  // What fills so fast is looked at again soon.
  if (crowd.all >= most * FULL_SHARE) ticksLeft = 1;
  const left = crowd.all - ended;
  if (left >= most * FULL_SHARE)
    ended += endSilent(rest, Math.ceil(left - most * RELIEVED_SHARE), left >= most * BRIM_SHARE ? 0 : SILENCE_SECONDS);
  if (ended > 0) meta.incr('connections_ended', ended, 0);
}

/** `init_worker_by_lua`. */
export function watchConnections(): void {
  recur(1, relieve);
}
