import http from 'node:http';
import https from 'node:https';
import { formatAddress, isForbiddenPort, parseAddress, specialAddressKind } from '@cordon/contract';
import type { Environment } from './env.ts';
import { createRateLimit } from './rate-limit.ts';
import type { DnsResolver } from './resolver.ts';

/** Why a request of ours was not made or brought nothing; never more, so that nobody maps networks through us. */
export type EgressFailure = 'forbidden' | 'unresolved' | 'unreachable' | 'rate_limited';

export class EgressError extends Error {
  override readonly name = 'EgressError';
  constructor(readonly failure: EgressFailure) {
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
  readonly timeoutMs?: number;
  readonly bodyBytesMax?: number;
}

export interface EgressResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  /** Address that was connected to. */
  readonly address: string;
  readonly ms: number;
}

/** The one way out: every request that we make on a customer's word goes through here (security design). */
export interface Egress {
  /**
   * Addresses that the host may be connected at, with this port. Throws EgressError: `forbidden` when any of them is
   * special, metadata or one of our own edges, and not excepted by CORDON_UPSTREAM_ALLOW; `unresolved` when none.
   */
  resolve(host: string, port: number): Promise<string[]>;
  /** One request to the very address that was checked; redirects are answers. Throws EgressError. */
  request(request: EgressRequest): Promise<EgressResponse>;
}

const TIMEOUT_MS = 5_000;
const BODY_BYTES_MAX = 64 * 1024;
const ATTEMPTS_MAX = 2;

/** @param ownAddresses Addresses of our edge nodes, canonical; asked at each request, as nodes come and go. */
export function createEgress(
  env: Pick<Environment, 'upstreamAllow'>,
  resolver: DnsResolver,
  ownAddresses: () => Promise<ReadonlySet<string>>,
): Egress {
  const allowed = new Set(env.upstreamAllow.map(({ address, port }) => `${canonical(address)} ${port}`));
  const allowedPorts = new Set(env.upstreamAllow.map(({ port }) => port));
  const rate = createRateLimit({ burst: 60, perMinute: 60 });

  async function checkAddresses(addresses: readonly string[], port: number): Promise<void> {
    const own = await ownAddresses();
    for (const text of addresses) {
      if (allowed.has(`${text} ${port}`)) continue;
      const address = parseAddress(text);
      if (!address || specialAddressKind(address) !== undefined || own.has(text)) throw new EgressError('forbidden');
    }
    const isExcepted = addresses.every((text) => allowed.has(`${text} ${port}`));
    if (!isExcepted && isForbiddenPort(port)) throw new EgressError('forbidden');
  }

  async function resolve(host: string, port: number): Promise<string[]> {
    // Before DNS is asked: a name without an address may get one when nobody checks any more.
    if (isForbiddenPort(port) && !allowedPorts.has(port)) throw new EgressError('forbidden');
    const literal = parseAddress(host);
    let addresses: string[];
    if (literal) addresses = [formatAddress(literal)];
    else {
      try {
        addresses = await resolver.addresses(host);
      } catch {
        throw new EgressError('unresolved');
      }
    }
    if (addresses.length === 0) throw new EgressError('unresolved');
    await checkAddresses(addresses, port);
    return addresses;
  }

  return {
    resolve,
    async request(request) {
      if (!rate.take(request.account_id)) throw new EgressError('rate_limited');
      const addresses = await resolve(request.host, request.port);
      const until = Date.now() + (request.timeoutMs ?? TIMEOUT_MS);
      for (const address of addresses.slice(0, ATTEMPTS_MAX)) {
        if (Date.now() >= until) break;
        try {
          return await send(request, address, until - Date.now());
        } catch {
          // Another address of the same name may still answer; what was wrong is nobody's business.
        }
      }
      throw new EgressError('unreachable');
    },
  };
}

const canonical = (text: string): string => {
  const address = parseAddress(text);
  return address ? formatAddress(address) : text;
};

function send(request: EgressRequest, address: string, timeoutMs: number): Promise<EgressResponse> {
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
      ...(parseAddress(name) ? {} : { servername: name }),
      headers: { host: hostHeader, 'user-agent': 'Cordon-Check/1', accept: '*/*', connection: 'close' },
    };
    const client = (request.protocol === 'http' ? http : https).request(options, (res) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const answer = () =>
        finish(() =>
          resolve({
            status: res.statusCode ?? 0,
            headers: res.headers,
            body: Buffer.concat(chunks),
            address,
            ms: performance.now() - startedAt,
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
    client.on('error', (error) => finish(() => reject(error)));
    client.end();
  });
}
