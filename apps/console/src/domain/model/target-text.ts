import { parseUpstreamHost, UPSTREAM_PORTS, type UpstreamProtocol } from '@cordon/contract';

/** What a person meant by what was typed or pasted as a target. */
export interface TypedTarget {
  readonly host: string;
  readonly port?: number;
  readonly protocol?: Exclude<UpstreamProtocol, 'http_https'>;
  /** It began with `//`: an address that leaves the protocol open. */
  readonly leavesProtocolOpen?: true;
  /** What followed the host of an address and belongs to no target: a path, a query. */
  readonly leftOut?: string;
  /** A user, and perhaps a password, stood before the host. */
  readonly hadUser?: true;
}

/** As the contract writes the host; what is none stays as it is. */
function parsedOr(typed: string): string {
  const read = parseUpstreamHost(typed);
  return read.ok ? read.host : typed;
}

const isPort = (port: number) => Number.isInteger(port) && port >= 1 && port <= 65_535;

/** Scheme, `//`, user, host with port, and what follows it, which a lone slash is not. */
const ADDRESS = /^(?:(?:(https?):)?(\/\/))?([^/?#\s]*@)?([^/?#@]+)(?:\/|([/?#].+))?$/i;

/**
 * Splits what people paste (`https://origin.example.com:8443/`, `203.0.113.10 8080`, `[2001:db8::1]:443`, `203.0.113.10/shop`) into the
 * fields it belongs to. Anything it does not understand stays the host, for the contract's parser to explain.
 */
export function readTypedTarget(text: string): TypedTarget {
  const typed = text.trim();
  const [, scheme, slashes, user, rest = typed, leftOut] = ADDRESS.exec(typed) ?? [];
  const withPort = /^(\[[0-9a-f:.]+\]|[^:：/\s]+)\s*[:：]\s*(\d{1,5})$|^(\S+)\s+(\d{1,5})$/i.exec(rest);
  const [, before, after, apart, number = after] = withPort ?? [];
  const port = Number(number);
  const hasPort = withPort !== null && isPort(port);
  const read = parseUpstreamHost((hasPort ? (before ?? apart) : undefined) ?? rest);
  if (!read.ok) return { host: typed };
  // With neither, digits behind the slash of an address make a range, which only the parser explains.
  const isRange = read.isAddress && /^\/\d+$/.test(leftOut ?? '');
  if (slashes === undefined && !hasPort && (leftOut === undefined || isRange)) return { host: parsedOr(typed) };
  return {
    host: read.host,
    ...(scheme && { protocol: scheme.toLowerCase() as 'http' | 'https' }),
    ...(slashes && !scheme && { leavesProtocolOpen: true as const }),
    ...(hasPort && { port }),
    ...(leftOut && { leftOut }),
    ...(user && { hadUser: true as const }),
  };
}

/** Port that an empty port field stands for; null where none may be given. */
export const defaultPort = (protocol: UpstreamProtocol): number | null =>
  protocol === 'http_https' ? null : UPSTREAM_PORTS[protocol];
