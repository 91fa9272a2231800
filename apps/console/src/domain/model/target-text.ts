import { parseUpstreamHost, UPSTREAM_PORTS, type UpstreamProtocol } from '@cordon/contract';

/** What a person meant by what was typed or pasted as a target. */
export interface TypedTarget {
  readonly host: string;
  readonly port?: number;
  readonly protocol?: Exclude<UpstreamProtocol, 'http_https'>;
  /** What followed the host of an address and belongs to no target: a path, a query. */
  readonly leftOut?: string;
  /** A user, and perhaps a password, stood before the host. */
  readonly hadUser?: true;
}

const isPort = (port: number) => Number.isInteger(port) && port >= 1 && port <= 65_535;

/**
 * Splits what people paste (`https://origin.example.com:8443/`, `203.0.113.10:8080`, `[2001:db8::1]:443`) into the
 * fields it belongs to. Anything it does not understand stays the host, for the contract's parser to explain.
 */
export function readTypedTarget(text: string): TypedTarget {
  const typed = text.trim();
  const scheme = /^(https?):\/\/([^/?#\s]*@)?([^/?#@]+)(?:\/|([/?#].+))?$/i.exec(typed);
  const protocol = scheme ? (scheme[1]?.toLowerCase() as 'http' | 'https') : undefined;
  const leftOut = scheme?.[4];
  const rest = scheme?.[3] ?? typed;
  const withPort = /^(\[[0-9a-f:.]+\]|[^:/\s]+):(\d{1,5})$/i.exec(rest);
  const port = Number(withPort?.[2]);
  const host = withPort && isPort(port) ? (withPort[1] ?? rest) : rest;
  const read = parseUpstreamHost(host);
  if (!read.ok && (protocol || host !== rest)) return { host: typed };
  return {
    host: read.ok ? read.host : typed,
    ...(protocol && { protocol }),
    ...(withPort && isPort(port) && { port }),
    ...(leftOut && { leftOut }),
    ...(scheme?.[2] && { hadUser: true as const }),
  };
}

/** Port that an empty port field stands for; null where none may be given. */
export const defaultPort = (protocol: UpstreamProtocol): number | null =>
  protocol === 'http_https' ? null : UPSTREAM_PORTS[protocol];
