import http from 'node:http';
import https from 'node:https';
import type tls from 'node:tls';
import { TLSSocket } from 'node:tls';
import { formatAddress, isForbiddenPort, parseAddress, specialAddressKind } from '@cordon/contract';
import { LRUCache } from 'lru-cache';
import type { Environment } from '../settings/env.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import type { RateLimits } from './rate-limit.ts';
import type { DnsResolver } from './resolver.ts';

/**
 * Why a request was not made or failed; no more detail, so that customers cannot map networks through the API. `forbidden`
 * judges what the customer wrote, an address or a port; a name that leads to a forbidden address is `unresolved`, as one
 * that does not exist: else it would show which names there are inside.
 */
export type EgressFailure = 'forbidden' | 'unresolved' | 'unreachable' | 'rate_limited';

export class EgressError extends Error {
  override readonly name = 'EgressError';
  /** @param isConnected Whether an `unreachable` host took the connection and failed after that. No customer is told. */
  constructor(
    readonly failure: EgressFailure,
    readonly isConnected = false,
  ) {
    super(failure);
  }
}

export interface EgressRequest {
  /** On whose behalf: has a rate. */
  readonly account_id: string;
  readonly protocol: 'http' | 'https';
  /** Name or address. */
  readonly host: string;
  readonly port: number;
  readonly method?: 'GET' | 'HEAD';
  readonly path?: string;
  /** Value of the Host header and SNI; `host` unless given. */
  readonly hostHeader?: string;
  /** Name asked for in TLS, where it is not that of the Host header. */
  readonly serverName?: string;
  /** PEM of the CA certificates that the server is verified by; those of public CAs unless given. */
  readonly trusted?: string;
  readonly timeoutMs?: number;
  readonly bodyBytesMax?: number;
}

/** What an https server showed for the name that it was asked for. */
export interface EgressCertificate {
  /** OpenSSL's or node's code of why it does not verify; undefined when it does. */
  readonly error: string | undefined;
  readonly subject: string;
  readonly issuer: string;
  readonly expiresAt: string | undefined;
}

export interface EgressResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  /** The body was longer than `bodyBytesMax`; what is there of it is a part. */
  readonly isTruncated: boolean;
  /** Address that was connected to. */
  readonly address: string;
  readonly ms: number;
  /** With https. */
  readonly certificate: EgressCertificate | undefined;
}

/** The one way out: every request that we make on a customer's word goes through here (security design). */
export interface Egress {
  /**
   * Addresses that the host may be connected at, with this port. Throws EgressError when any of them is special, metadata
   * or one of our own edges, and not excepted by CORDON_UPSTREAM_ALLOW: `forbidden` for an address, `unresolved` for a
   * name, as when it has none; `forbidden` for a port of another service; `rate_limited` when the account has had us ask DNS for too many names.
   */
  resolve(accountId: string, host: string, port: number): Promise<string[]>;
  /** The same for a server of DNS: its own port is no other service's there. */
  resolveNameServer(accountId: string, host: string): Promise<string[]>;
  /** One request to the very address that was checked; redirects are answers. Throws EgressError. */
  request(request: EgressRequest): Promise<EgressResponse>;
}

const TIMEOUT_MS = 5_000;
const BODY_BYTES_MAX = 64 * 1024;
const ATTEMPTS_MAX = 2;
const DNS_PORT = 53;
/** Outbound requests and DNS lookups per account: thousands of lookups in one call pass, a port scan does not. */
const REQUESTS = { name: 'egress-requests', burst: 60, perMinute: 60 };
const NAMES = { name: 'egress-names', burst: 3_000, perMinute: 1_800 };
/** The same name costs an account once in a minute: most of its domains have the same few origins. */
const SAME_NAME_MS = 60_000;
const NAMES_KEPT = 50_000;
/** Names that a process takes of the account's rate at a time. */
const NAMES_LEASE = 25;
/** Names of an account that DNS is asked for at a time: more at once would be lost on the way, and look like failures. */
const NAMES_AT_ONCE = 25;

/** @param ownAddresses Our own public addresses, canonical, which are refused; read at each request, as they change. */
export function createEgress(
  env: Pick<Environment, 'upstreamAllow'>,
  resolver: DnsResolver,
  ownAddresses: () => Promise<ReadonlySet<string>>,
  rates: RateLimits,
): Egress {
  const allowed = new Set(env.upstreamAllow.map(({ address, port }) => `${canonical(address)} ${port}`));
  const allowedPorts = new Set(env.upstreamAllow.map(({ port }) => port));
  const requests = rates.of(REQUESTS);
  const names = rates.of(NAMES, NAMES_LEASE);
  const paidNames = new LRUCache<string, true>({ max: NAMES_KEPT, ttl: SAME_NAME_MS });
  const questions = createConcurrencyLimit(NAMES_AT_ONCE);

  async function checkAddresses(host: string, addresses: readonly string[], port: number): Promise<void> {
    const own = await ownAddresses();
    for (const text of addresses) {
      if (allowed.has(`${text} ${port}`)) continue;
      const address = parseAddress(text);
      if (!address || specialAddressKind(address) !== undefined || own.has(text)) throw refusal(host);
    }
  }

  async function addressesOf(accountId: string, host: string): Promise<string[]> {
    const literal = parseAddress(host);
    if (literal) return [formatAddress(literal)];
    const same = `${accountId} ${host}`;
    if (!paidNames.has(same)) {
      // Before it is paid: the same name in one call costs once.
      paidNames.set(same, true);
      if (!(await names.take(accountId))) {
        // Asked again it is still the first time, and costs.
        paidNames.delete(same);
        throw new EgressError('rate_limited');
      }
    }
    const addresses = await questions.run(accountId, () => resolver.addresses(host)).catch(() => []);
    if (addresses.length === 0) throw new EgressError('unresolved');
    return addresses;
  }

  async function resolve(accountId: string, host: string, port: number): Promise<string[]> {
    // Before DNS is asked: a name without an address now may get one after the check.
    if (isForbiddenPort(port) && !allowedPorts.has(port)) throw new EgressError('forbidden');
    const addresses = await addressesOf(accountId, host);
    await checkAddresses(host, addresses, port);
    const isExcepted = addresses.every((text) => allowed.has(`${text} ${port}`));
    if (!isExcepted && isForbiddenPort(port)) throw refusal(host);
    return addresses;
  }

  return {
    resolve,
    async resolveNameServer(accountId, host) {
      const addresses = await addressesOf(accountId, host);
      await checkAddresses(host, addresses, DNS_PORT);
      return addresses;
    },
    async request(request) {
      if (!(await requests.take(request.account_id))) throw new EgressError('rate_limited');
      const addresses = await resolve(request.account_id, request.host, request.port);
      const until = Date.now() + (request.timeoutMs ?? TIMEOUT_MS);
      let isConnected = false;
      const onConnect = () => {
        isConnected = true;
      };
      for (const address of addresses.slice(0, ATTEMPTS_MAX)) {
        if (Date.now() >= until) break;
        try {
          return await send(request, address, until - Date.now(), onConnect);
        } catch {
          // Another address of the same name may still answer; the cause stays hidden from the customer.
        }
      }
      throw new EgressError('unreachable', isConnected);
    },
  };
}

/** Of a host whose address is forbidden. */
const refusal = (host: string) => new EgressError(parseAddress(host) ? 'forbidden' : 'unresolved');

const canonical = (text: string): string => {
  const address = parseAddress(text);
  return address ? formatAddress(address) : text;
};

const nameOf = (name: tls.Certificate | undefined): string =>
  [name?.CN, name?.O].flat().filter(Boolean).join(', ').slice(0, 200);

function certificateOf(socket: TLSSocket): EgressCertificate {
  const peer = socket.getPeerCertificate();
  const expiry = Date.parse(peer.valid_to ?? '');
  const error = socket.authorized ? undefined : (socket.authorizationError as unknown as Error | string | undefined);
  return {
    error: error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : error && String(error),
    subject: nameOf(peer.subject),
    issuer: nameOf(peer.issuer),
    expiresAt: Number.isNaN(expiry) ? undefined : new Date(expiry).toISOString(),
  };
}

function send(
  request: EgressRequest,
  address: string,
  timeoutMs: number,
  onConnect: () => void,
): Promise<EgressResponse> {
  const startedAt = performance.now();
  const name = request.hostHeader ?? request.host;
  const bodyBytesMax = request.bodyBytesMax ?? BODY_BYTES_MAX;
  const isDefaultPort = request.port === (request.protocol === 'http' ? 80 : 443);
  const hostHeader = (name.includes(':') ? `[${name}]` : name) + (isDefaultPort ? '' : `:${request.port}`);
  return new Promise((resolve, reject) => {
    const finish = (act: () => void) => {
      clearTimeout(timer);
      client.destroy();
      act();
    };
    const options: https.RequestOptions = {
      host: address,
      port: request.port,
      method: request.method ?? 'GET',
      path: request.path ?? '/',
      agent: false,
      // An origin may have a certificate for the visitor's name only, or its own: who it is does not matter here.
      rejectUnauthorized: false,
      ...(request.trusted === undefined ? {} : { ca: request.trusted }),
      ...(parseAddress(request.serverName ?? name) ? {} : { servername: request.serverName ?? name }),
      headers: { host: hostHeader, 'user-agent': 'Cordon-Check/1', accept: '*/*', connection: 'close' },
    };
    const client = (request.protocol === 'http' ? http : https).request(options, (res) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const certificate = res.socket instanceof TLSSocket ? certificateOf(res.socket) : undefined;
      const answer = () =>
        finish(() =>
          resolve({
            status: res.statusCode ?? 0,
            headers: res.headers,
            body: Buffer.concat(chunks),
            isTruncated: size > bodyBytesMax,
            address,
            ms: performance.now() - startedAt,
            certificate,
          }),
        );
      res.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > bodyBytesMax) answer();
        else chunks.push(chunk);
      });
      res.on('end', answer);
      res.on('error', (error) => finish(() => reject(error)));
    });
    // Over everything: connecting, TLS and a body that drips.
    const timer = setTimeout(() => finish(() => reject(new Error('timeout'))), timeoutMs);
    client.on('socket', (socket) => socket.once('connect', onConnect));
    client.on('error', (error) => finish(() => reject(error)));
    client.end();
  });
}
